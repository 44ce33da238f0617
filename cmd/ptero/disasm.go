package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/nxp"
	"github.com/ptero-rt/ptero/internal/fault"
)

// disasmJSON is what `disasm --json` prints.
type disasmJSON struct {
	File  string             `json:"file"`
	Blobs []disassembledJSON `json:"blobs"`
}

// disassembledJSON is one blob; only one of the descriptions is set.
type disassembledJSON struct {
	Method   string        `json:"method,omitempty"`
	Delegate int           `json:"delegate"`
	Kind     string        `json:"kind"`
	Facts    any           `json:"facts"`
	Commands []ethosu.Line `json:"commands,omitempty"`
	Text     []string      `json:"text,omitempty"`
}

func newDisasm(c *console) *cobra.Command {
	var flags blobFlags
	cmd := &cobra.Command{
		Use:   "disasm FILE",
		Short: "Print the NPU command streams of a program, or of a bare Vela stream or Neutron payload",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			f, err := openFile(args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			list, err := f.payloads(flags)
			if err != nil {
				return inPhase(exitFile, err)
			}
			j := disasmJSON{File: args[0], Blobs: []disassembledJSON{}}
			for _, p := range list {
				one, text, err := disassemble(p)
				if err != nil {
					return inPhase(exitFile, fault.Under(args[0], fault.Under(p.path(), err)))
				}
				j.Blobs = append(j.Blobs, one)
				if c.json {
					continue
				}
				if p.where != "" {
					c.printf("%s: %s\n", p.where, p.id)
				}
				c.printf("%s\n", text)
			}
			if c.json {
				return c.document(j)
			}
			if len(list) == 0 {
				c.printf("%s has no NPU delegates\n", args[0])
			}
			return nil
		},
	}
	flags.add(cmd)
	return cmd
}

// disassemble gives a blob for scripts and for people.
func disassemble(p payload) (disassembledJSON, string, error) {
	j := disassembledJSON{Method: p.method, Delegate: p.delegate}
	if p.id == nxp.BackendID {
		d, err := nxp.Describe(p.bytes)
		if err != nil {
			return j, "", err
		}
		text := d.Disassemble()
		j.Kind, j.Facts, j.Text = "neutron", d, strings.Split(strings.TrimRight(text, "\n"), "\n")
		return j, text, nil
	}
	d, err := ethosu.Describe(p.bytes, ethosu.LookUpIn(p.named), p.specs)
	if err != nil {
		return j, "", err
	}
	j.Kind, j.Facts, j.Commands = "ethosu", d, d.Lines()
	return j, d.Summary() + "\n" + d.Disassemble(), nil
}

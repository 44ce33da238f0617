package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/lint"
	"github.com/ptero-rt/ptero/backends/nxp"
	"github.com/ptero-rt/ptero/internal/fault"
)

// lintJSON is what `lint --json` prints for a file.
type lintJSON struct {
	File     string       `json:"file"`
	Accepted bool         `json:"accepted"`
	Blobs    []lintedJSON `json:"blobs"`
}

// lintedJSON is the judgement on one blob.
type lintedJSON struct {
	Method      string         `json:"method,omitempty"`
	Delegate    int            `json:"delegate"`
	Kind        string         `json:"kind"`
	Accelerator string         `json:"accelerator"`
	Accepted    bool           `json:"accepted"`
	Kernel      *kernelJSON    `json:"kernel_driver"` // null where mainline has no driver for the NPU
	Findings    []lint.Finding `json:"findings"`
	where       string
}

// kernelJSON is the verdict of mainline's validator.
type kernelJSON struct {
	Accepted    bool     `json:"accepted"`
	Offset      int      `json:"offset"`
	Reason      string   `json:"reason,omitempty"`
	RegionBytes []uint64 `json:"region_bytes"`
}

func newLint(c *console) *cobra.Command {
	var flags blobFlags
	var sram int64
	cmd := &cobra.Command{
		Use:   "lint FILE...",
		Short: "Say whether the kernel driver would take the NPU command streams, and whether they are sound",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			accepted := true
			for _, name := range args {
				j, err := lintFile(name, flags, sram)
				if err != nil {
					return err
				}
				accepted = accepted && j.Accepted
				if c.json {
					if err := c.document(j); err != nil {
						return err
					}
					continue
				}
				j.print(c)
			}
			if !accepted {
				return quietError{exitFailed}
			}
			return nil
		},
	}
	flags.add(cmd)
	cmd.Flags().Int64Var(&sram, "sram", lint.Unknown, "bytes of fast scratch that the job has; the default is what the stream needs")
	return cmd
}

func lintFile(name string, flags blobFlags, sram int64) (*lintJSON, error) {
	f, err := openFile(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	list, err := f.payloads(flags)
	if err != nil {
		return nil, inPhase(exitFile, err)
	}
	j := &lintJSON{File: name, Accepted: true, Blobs: []lintedJSON{}}
	for _, p := range list {
		one, err := lintPayload(p, sram)
		if err != nil {
			return nil, inPhase(exitFile, fault.Under(name, fault.Under(p.path(), err)))
		}
		j.Accepted = j.Accepted && one.Accepted
		j.Blobs = append(j.Blobs, one)
	}
	return j, nil
}

func lintPayload(p payload, sram int64) (lintedJSON, error) {
	j := lintedJSON{Method: p.method, Delegate: p.delegate, where: p.where, Findings: []lint.Finding{}}
	if p.id == nxp.BackendID {
		d, err := nxp.Describe(p.bytes)
		if err != nil {
			return j, err
		}
		j.Kind, j.Accelerator, j.Accepted = "neutron", d.Target.Name, d.Problem == nil
		if d.Problem != nil {
			j.Findings = append(j.Findings, lint.Finding{Severity: lint.Error, Rule: lint.RuleStream, Message: d.Problem.Error()})
		}
		return j, nil
	}
	d, err := ethosu.Describe(p.bytes, ethosu.LookUpIn(p.named), p.specs)
	if err != nil {
		return j, err
	}
	memory := lint.AnyMemory()
	if d.Blob != nil {
		memory = lint.MemoryOf(d.Blob)
	}
	if sram != lint.Unknown {
		memory[ethosu.RegionFastScratch] = sram
	}
	r := lint.Check(d.DriverPayload.Accelerator, d.DriverPayload.Stream, memory)
	j.Kind, j.Accelerator, j.Accepted = "ethosu", d.Accelerator, r.Accepted()
	j.Findings = append(j.Findings, r.Findings...)
	if v := &r.Verdict; v.Supported {
		j.Kernel = &kernelJSON{v.Accepted, v.Offset, v.Reason, v.RegionBytes[:]}
	}
	return j, nil
}

func (j *lintJSON) print(c *console) {
	if len(j.Blobs) == 0 {
		c.printf("%s: no NPU delegates\n", j.File)
	}
	for _, b := range j.Blobs {
		where := j.File
		if b.where != "" {
			where += ", " + b.where
		}
		verdict := "accepted"
		if !b.Accepted {
			verdict = "refused"
		}
		c.printf("%s: %s: %s\n", where, b.Accelerator, verdict)
		switch {
		case b.Kernel == nil && b.Kind == "ethosu":
			c.printf("  mainline's kernel driver: none for this product\n")
		case b.Kernel != nil && b.Kernel.Accepted:
			c.printf("  mainline's kernel driver: takes it%s\n", buffers(b.Kernel.RegionBytes))
		case b.Kernel != nil:
			c.printf("  mainline's kernel driver: refuses it at byte %#x: %s\n", b.Kernel.Offset, b.Kernel.Reason)
		}
		for _, f := range b.Findings {
			c.printf("  %s\n", f)
		}
	}
}

// buffers lists what the driver wants of each region.
func buffers(bytes []uint64) string {
	text := ""
	for region, n := range bytes {
		if n > 0 {
			text += fmt.Sprintf(", region %d %s B", region, group(n))
		}
	}
	return text
}

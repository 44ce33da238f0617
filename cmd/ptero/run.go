package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/memory"
)

// runJSON is what `run --json` prints.
type runJSON struct {
	File    string          `json:"file"`
	Method  string          `json:"method"`
	Board   string          `json:"board"`
	Nanos   uint64          `json:"run_ns"`
	Outputs []outputJSON    `json:"outputs"`
	Top     [][]ranked      `json:"top,omitempty"`
	Arenas  []memory.Placed `json:"arenas"`
	Rows    []row           `json:"per_instruction,omitempty"`
}

func newRun(c *console) *cobra.Command {
	var s setup
	var inputs []string
	var fill, dir, labelFile string
	var k int
	var explain bool
	cmd := &cobra.Command{
		Use:   "run FILE",
		Short: "Run a program once",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			labels, err := readLabels(labelFile)
			if err != nil {
				return err
			}
			m, err := s.open(c, args[0])
			if err != nil {
				return err
			}
			defer m.Close()
			name, err := s.choose(m)
			if err != nil {
				return err
			}
			f, err := load(m, name)
			if err != nil {
				return err
			}
			defer f.Close()
			if err := setInputs(f, inputs, fill); err != nil {
				return err
			}
			p, err := profile(cmd.Context(), m, f, 1)
			if err != nil {
				return inPhase(exitFailed, err)
			}
			if dir != "" {
				if err := writeOutputs(f, dir); err != nil {
					return err
				}
			}
			report := f.Layout.Report(args[0])
			j := runJSON{File: args[0], Method: name, Board: m.Board().Name(), Nanos: p.runNanos, Outputs: summarise(f), Arenas: report.Arenas}
			for i := range f.NumOutputs() {
				if t := f.Output(i).Tensor(); t != nil && k > 0 {
					j.Top = append(j.Top, top(t, k, labels))
				}
			}
			if explain {
				j.Rows = p.rows
			}
			if c.json {
				return c.document(j)
			}
			j.print(c, f, report, p)
			return nil
		},
	}
	s.runFlags(cmd)
	cmd.Flags().StringArrayVarP(&inputs, "input", "i", nil, "an input: FILE.npy in order, NAME_OR_INDEX=FILE.npy, a number, true, false or none (repeatable)")
	cmd.Flags().StringVar(&fill, "fill", "", "fill inputs that are not given: ones, zeros or random:SEED")
	cmd.Flags().StringVarP(&dir, "output", "o", "", "write out_00.npy, out_01.npy, … to this folder")
	cmd.Flags().IntVar(&k, "top", 0, "show the K largest elements of each output")
	cmd.Flags().StringVar(&labelFile, "labels", "", "a file with a label a line, for --top")
	cmd.Flags().BoolVar(&explain, "explain", false, "show where memory lies and what every instruction took")
	return cmd
}

func (j *runJSON) print(c *console, f *ptero.Method, report memory.Report, p *profileResult) {
	c.printf("%s, method %s, board %s: ran in %s\n", j.File, j.Method, j.Board, nanos(float64(j.Nanos)))
	for i, o := range j.Outputs {
		c.printf("output %d: %s %v", i, o.DType, o.Shape)
		if f.Output(i).Tensor() == nil || len(o.Shape) == 0 {
			c.printf(" = %v", o.First)
		} else {
			c.printf(", first %s, sum %.6g", firsts(o.First), float64(o.Sum))
		}
		c.printf("\n")
	}
	for i, list := range j.Top {
		if len(list) > 0 && list[0].Label != "" {
			c.printf("\noutput %d: %s, score %.6g\n", i, list[0].Label, list[0].Score)
		}
		for n, r := range list {
			c.printf("  %d. %-12s %10.6g  (class %d)\n", n+1, r.Label, r.Score, r.Index)
		}
	}
	if j.Rows == nil {
		return
	}
	c.printf("\n")
	printPlacement(c, report)
	c.printf("\n")
	p.print(c)
}

func firsts(x []float64) string {
	s := ""
	for i, f := range x {
		if i > 0 {
			s += " "
		}
		s += fmt.Sprintf("%.6g", f)
	}
	return "[" + s + "]"
}

// printPlacement shows where each arena went, and what is left of each pool.
func printPlacement(c *console, r memory.Report) {
	g := newGrid("memory", "pool", "address>", "bytes>")
	for _, a := range r.Arenas {
		what := a.What
		if a.MemID > 0 {
			what = fmt.Sprintf("%s, mem_id %d", a.What, a.MemID)
		}
		g.row(what, a.Pool, fmt.Sprintf("0x%08x", a.Addr), group(a.Bytes))
	}
	g.print(c, "")
	c.printf("\n")
	g = newGrid("pool", "class", "capacity>", "used>", "headroom>")
	for _, p := range r.Pools {
		g.row(p.Name, p.Class, group(p.Capacity), group(p.Used), group(p.Headroom))
	}
	g.print(c, "")
	for _, n := range r.Notes {
		c.printf("note: %s\n", n)
	}
}

package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

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
	Scratch []scratchJSON   `json:"scratch,omitempty"`
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
			if k < 0 {
				return wrongFlag("--top", "0 or more", fmt.Sprint(k))
			}
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
			l, err := m.Link(name)
			if err != nil {
				return inPhase(exitFile, err)
			}
			f, err := m.Bind(l)
			if err != nil {
				return inPhase(exitFit, errors.Join(err, l.Close()))
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
				j.Rows, j.Scratch = p.rows, findScratch(l.Outline(), report.Arenas)
			}
			if c.json {
				return c.document(j)
			}
			j.print(c, report, p)
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

func (j *runJSON) print(c *console, report memory.Report, p *profileResult) {
	c.printf("%s, method %s, board %s: ran in %s\n", j.File, j.Method, j.Board, nanos(float64(j.Nanos)))
	for i, o := range j.Outputs {
		o.print(c, i)
	}
	for i, list := range j.Top {
		if len(list) > 0 && list[0].Label != "" {
			c.printf("\noutput %d: %s, score %.6g\n", i, list[0].Label, float64(list[0].Score))
		}
		for n, r := range list {
			label := ""
			if r.Label != "" {
				label = fmt.Sprintf("%-12s ", r.Label)
			}
			c.printf("  %d. %s%10.6g  (class %d)\n", n+1, label, float64(r.Score), r.Index)
		}
	}
	if j.Rows == nil {
		return
	}
	c.printf("\n")
	printPlacement(c, report)
	c.printf("\n")
	if len(j.Scratch) > 0 {
		g := newGrid("scratch", "bytes>", "pool", "address>", "from")
		for _, s := range j.Scratch {
			g.row(fmt.Sprintf("[%d] %s", s.Instruction, s.Label), group(s.Bytes), s.Pool, fmt.Sprintf("0x%08x", s.Addr), s.From)
		}
		g.print(c, "")
		c.printf("\n")
	}
	p.print(c)
	p.printSteps(c)
}

// scratchJSON is working memory of a delegate call: where it lies and how the call got it.
type scratchJSON struct {
	Instruction int    `json:"instruction"`
	Label       string `json:"label"`
	Bytes       uint64 `json:"bytes"`
	Pool        string `json:"pool"`
	Addr        uint64 `json:"addr"`
	From        string `json:"from"`
}

// findScratch lists the scratch of delegates: planned arguments in the file's arenas, and what the calls need beside them.
func findScratch(d memory.Demand, placed []memory.Placed) []scratchJSON {
	find := func(what string, memID uint32) (p memory.Placed) {
		for _, one := range placed {
			if one.What == what && one.MemID == memID {
				return one
			}
		}
		return p
	}
	var list []scratchJSON
	for _, b := range d.Spans {
		if b.Kind != memory.Scratch {
			continue
		}
		arena := find("arena", b.MemID)
		list = append(list, scratchJSON{b.First, b.Label, b.Bytes, arena.Pool, arena.Addr + b.Offset,
			fmt.Sprintf("a planned argument: mem_id %d at %s", b.MemID, group(b.Offset))})
	}
	for _, call := range d.Calls {
		for _, n := range call.Needs {
			if n.Device == "" {
				continue
			}
			p, from := find("temp", 0), "the temp arena: the program planned none"
			if n.Place == memory.Fast {
				p, from = find("fast scratch", 0), "the board's fast scratch: the program planned none"
			}
			list = append(list, scratchJSON{call.Instruction, call.Label + " " + n.Role, n.Bytes, p.Pool, p.Addr, from})
		}
	}
	slices.SortStableFunc(list, func(a, b scratchJSON) int { return a.Instruction - b.Instruction })
	return list
}

func firsts(x []jsonFloat) string {
	s := ""
	for i, f := range x {
		if i > 0 {
			s += " "
		}
		s += fmt.Sprintf("%.6g", float64(f))
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

package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/pte"
)

// opsJSON is what `ops --json` prints of a program that this build can run.
type opsJSON struct {
	File    string        `json:"file"`
	Methods []opsOfMethod `json:"methods"`
}

type opsOfMethod struct {
	Name         string         `json:"name"`
	Instructions int            `json:"instructions"`
	Operators    []operatorJSON `json:"operators"`
	Delegates    []operatorJSON `json:"delegates"`
}

func newOps(c *console) *cobra.Command {
	var s setup
	cmd := &cobra.Command{
		Use:   "ops FILE",
		Short: "Say whether this build can run a program, and all that is missing",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			m, err := s.open(c, args[0])
			if err != nil {
				return err
			}
			defer m.Close()
			j := opsJSON{File: args[0], Methods: []opsOfMethod{}}
			var problems []error
			for i := range m.Program().Plans {
				plan := &m.Program().Plans[i]
				l, err := m.Link(plan.Name)
				if err != nil {
					problems = append(problems, err)
					continue
				}
				if err := l.FitBoard(m.Board()); err != nil {
					problems = append(problems, fault.Under(args[0], err))
				}
				j.Methods = append(j.Methods, countOps(m.Program(), plan))
				if err := l.Close(); err != nil {
					return err
				}
			}
			if err := errors.Join(problems...); err != nil {
				return inPhase(exitFile, err)
			}
			if c.json {
				return c.document(j)
			}
			j.print(c)
			return nil
		},
	}
	s.boardFlags(cmd)
	return cmd
}

func countOps(file *pte.Program, p *pte.Plan) opsOfMethod {
	d := describePlan(file, p)
	o := opsOfMethod{Name: p.Name, Operators: d.Operators, Delegates: []operatorJSON{}}
	for _, n := range d.Instructions {
		o.Instructions += n
	}
	for _, g := range d.Delegates {
		o.Delegates = append(o.Delegates, operatorJSON{g.ID, len(g.Calls)})
	}
	return o
}

func (j *opsJSON) print(c *console) {
	for _, m := range j.Methods {
		c.printf("method %s: %d instructions, all can run\n", m.Name, m.Instructions)
		g := newGrid("operator or delegate", "calls>")
		for _, o := range append(m.Operators, m.Delegates...) {
			g.row(o.Name, o.Calls)
		}
		g.print(c, "  ")
	}
}

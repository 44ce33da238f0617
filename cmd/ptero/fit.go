package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/memory/draw"
)

// fitJSON is what `fit --json` prints: the report, with the violations as scripts read errors. Where several files share the
// board, Files lists them all, and methods are named INDEX.METHOD.
type fitJSON struct {
	memory.Report
	Files      []string        `json:"files,omitempty"`
	Violations []violationJSON `json:"violations"`
}

type violationJSON struct {
	errorJSON
	Offenders []memory.Owner `json:"offenders"`
	Fixes     []string       `json:"fixes"`
}

func newFit(c *console) *cobra.Command {
	var s setup
	var page, picture, before string
	cmd := &cobra.Command{
		Use:   "fit FILE...",
		Short: "Say whether programs fit a board, and who needs which bytes",
		Long: "Fit lays out all methods of all programs on one board, held as --strategy says: static sums what they need, dynamic and\n" +
			"shared take the largest once. Nothing is run. It ends with status 4 where something does not fit.\n\n" +
			"Pictures show each pool, time across and addresses up. To see what plan changed:\n\n" +
			"  ptero plan old.pte -o new.pte && ptero fit new.pte --before old.pte --html page.html",
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			options, err := s.options(c)
			if err != nil {
				return err
			}
			fit, err := ptero.FitFiles(args, options...)
			if err != nil && fit == nil {
				return inPhase(exitFile, err)
			}
			defer fit.Close()
			r := fit.Layout.Report(args[0])
			if page != "" || picture != "" {
				charts := []draw.Chart{{Title: strings.Join(args, ", "), Layout: fit.Layout}}
				if before != "" {
					old, err := ptero.FitFiles([]string{before}, options...)
					if old == nil {
						return inPhase(exitFile, err)
					}
					defer old.Close()
					charts = append([]draw.Chart{{Title: before, Layout: old.Layout}}, charts...)
				}
				if err := drawFit(charts, page, picture); err != nil {
					return inPhase(exitFailed, err)
				}
			}
			j := fitJSON{Report: r, Violations: []violationJSON{}}
			if len(args) > 1 {
				j.Files = args
			}
			for _, v := range r.Violations {
				e := violationJSON{toJSON(v.Error), v.Offenders, v.Fixes}
				if e.Offenders == nil {
					e.Offenders = []memory.Owner{}
				}
				if e.Fixes == nil {
					e.Fixes = []string{}
				}
				j.Violations = append(j.Violations, e)
			}
			if c.json {
				if e := c.document(j); e != nil {
					return e
				}
			} else {
				j.print(c)
			}
			switch {
			case !r.Fits:
				return quietError{exitFit}
			case err != nil:
				return inPhase(exitFit, err)
			}
			return nil
		},
	}
	s.boardFlags(cmd)
	cmd.Flags().StringVar(&s.strategy, "strategy", "static", "how several methods share pools: static, dynamic or shared")
	cmd.Flags().StringVar(&page, "html", "", "draw the layout, time against address, as a page into this file")
	cmd.Flags().StringVar(&picture, "svg", "", "draw the layout as SVG into this file")
	cmd.Flags().StringVar(&before, "before", "", "draw this program first, to the same scale: what it was before plan")
	return cmd
}

// drawFit writes the pictures that were asked for.
func drawFit(charts []draw.Chart, page, picture string) error {
	var errs []error
	if page != "" {
		errs = append(errs, writeFile(page, draw.HTML(charts[len(charts)-1].Title, charts...)))
	}
	if picture != "" {
		errs = append(errs, writeFile(picture, draw.SVG(charts...)))
	}
	return errors.Join(errs...)
}

func (j *fitJSON) print(c *console) {
	verdict := "fits"
	if !j.Fits {
		verdict = "does not fit"
	}
	if j.Files == nil {
		c.printf("%s on board %s: %s\n\n", j.File, j.Board, verdict)
	} else {
		for i, f := range j.Files {
			c.printf("%d: %s\n", i, f)
		}
		c.printf("together on board %s: %s\n\n", j.Board, verdict)
	}
	several := false
	for _, a := range j.Arenas {
		several = several || a.Method != j.Arenas[0].Method
	}
	r := j.Report
	r.Arenas = slices.Clone(j.Arenas)
	for i := range r.Arenas {
		if several {
			r.Arenas[i].What = r.Arenas[i].Method + " " + r.Arenas[i].What
		}
	}
	printPlacement(c, r)
	for _, p := range j.Pools {
		if len(p.Owners) == 0 {
			continue
		}
		c.printf("\n%s\n", p.Name)
		g := newGrid("kind", "what", "method", "instruction>", "bytes>")
		const most = 12
		var rest uint64
		for i, o := range p.Owners {
			if i >= most {
				rest += o.Bytes
				continue
			}
			at := ""
			if o.Instruction >= 0 {
				at = fmt.Sprint(o.Instruction)
			}
			g.row(o.Kind, o.Label, o.Method, at, group(o.Bytes))
		}
		if rest > 0 {
			g.row("", fmt.Sprintf("%d more", len(p.Owners)-most), "", "", group(rest))
		}
		g.print(c, "  ")
	}
	for _, v := range j.Violations {
		c.printf("\n%s\n", v.Message)
		for i, o := range v.Offenders {
			if i < 5 {
				c.printf("  %s B  %s %s\n", group(o.Bytes), o.Kind, o.Label)
			}
		}
	}
}

package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/memory/draw"
)

// fitJSON is what `fit --json` prints: the report, with the violations as scripts read errors.
type fitJSON struct {
	memory.Report
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
		Args:  cobra.MinimumNArgs(1),
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
	c.printf("%s on board %s: %s\n\n", j.File, j.Board, verdict)
	printPlacement(c, j.Report)
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

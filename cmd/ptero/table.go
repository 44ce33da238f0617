package main

import (
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/ptero-rt/ptero/memory"
)

// grid prints rows under headings without borders. Headings that end in ">" are for numbers: right-aligned.
type grid struct {
	w table.Writer
}

func newGrid(headings ...string) *grid {
	g := &grid{w: table.NewWriter()}
	style := table.StyleDefault
	style.Options = table.Options{SeparateColumns: false, SeparateHeader: false}
	style.Format.Header = text.FormatDefault
	style.Box.PaddingLeft, style.Box.PaddingRight = "", "  "
	g.w.SetStyle(style)
	var row table.Row
	var columns []table.ColumnConfig
	for i, h := range headings {
		name, right := strings.CutSuffix(h, ">")
		row = append(row, name)
		if right {
			columns = append(columns, table.ColumnConfig{Number: i + 1, Align: text.AlignRight, AlignHeader: text.AlignRight})
		}
	}
	g.w.SetColumnConfigs(columns)
	g.w.AppendHeader(row)
	return g
}

func (g *grid) row(cells ...any) { g.w.AppendRow(cells) }

// print writes the table with every line indented and without trailing blanks.
func (g *grid) print(c *console, indent string) {
	for _, line := range strings.Split(g.w.Render(), "\n") {
		c.printf("%s\n", strings.TrimRight(indent+line, " "))
	}
}

// group writes a number with thousands separated: 1,509,584.
func group[T ~int | ~int64 | ~uint64 | ~uint32](n T) string {
	if n < 0 {
		return "-" + memory.Grouped(-uint64(n))
	}
	return memory.Grouped(uint64(n))
}

// nanos writes a duration in a unit that leaves one to three digits before the point.
func nanos(ns float64) string {
	for _, u := range []struct {
		name string
		ns   float64
	}{{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}} {
		if ns >= u.ns {
			return strconv.FormatFloat(ns/u.ns, 'f', 2, 64) + " " + u.name
		}
	}
	return strconv.FormatFloat(ns, 'f', 0, 64) + " ns"
}

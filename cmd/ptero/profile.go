package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/executor"
)

// row is an instruction in `bench --per-instruction`: times of one execution, bytes that its tensors hold.
type row struct {
	Index        int      `json:"index"`
	Chain        int      `json:"chain"`
	Kind         string   `json:"kind"`
	Name         string   `json:"name"`
	MinNs        float64  `json:"min_ns"`
	MedianNs     float64  `json:"median_ns"`
	P95Ns        float64  `json:"p95_ns"`
	Share        float64  `json:"share"`
	Runs         uint64   `json:"runs"`
	BytesRead    uint64   `json:"bytes_read"`
	BytesWritten uint64   `json:"bytes_written"`
	NPUCycles    *uint64  `json:"npu_cycles"`
	NPUNanos     *float64 `json:"npu_estimated_ns"`
	Details      []detail `json:"details,omitempty"`
}

// detail is a step inside a delegate call. Cycles and nanoseconds are estimates for the board, not measured here.
type detail struct {
	Name           string   `json:"name"`
	Cycles         *uint64  `json:"cycles"`
	EstimatedNanos *float64 `json:"estimated_ns"`
	BytesRead      uint64   `json:"bytes_read"`
	BytesWritten   uint64   `json:"bytes_written"`
}

// profileResult is what a number of traced runs showed.
type profileResult struct {
	runNanos uint64 // of the last run
	rows     []row
	clock    string
}

// profile runs a method with tracing, a number of times.
func profile(ctx context.Context, m *ptero.Model, f *ptero.Method, runs int) (*profileResult, error) {
	p := executor.NewProfile(f.Method, runs)
	if err := f.Trace(p); err != nil {
		return nil, err
	}
	defer f.Trace(nil)
	clock := m.Board().Clock()
	r := &profileResult{clock: fmt.Sprintf("%s, %s a tick", clock.Name(), nanos(p.Resolution()))}
	for range runs {
		start := time.Now()
		if err := f.Run(ctx); err != nil {
			return nil, err
		}
		r.runNanos = uint64(time.Since(start))
	}
	rows, err := p.Rows()
	if err != nil {
		return nil, err
	}
	for i := range rows {
		if rows[i].Count > 0 { // others are in a branch that was not taken
			r.rows = append(r.rows, rowOf(&rows[i]))
		}
	}
	return r, nil
}

func rowOf(r *executor.Row) row {
	w := row{Index: r.Index, Chain: r.Chain, Kind: r.Kind, Name: r.Name, MinNs: r.MinNs, MedianNs: r.MedianNs, P95Ns: r.P95Ns, Share: r.Share,
		Runs: r.Count, BytesRead: r.BytesRead, BytesWritten: r.BytesWritten}
	w.describe(r.Details)
	return w
}

func (w *row) describe(list []executor.Detail) {
	var cycles uint64
	var nanos float64
	for _, d := range list {
		cycles += d.Cycles
		nanos += d.EstimatedNanos
		j := detail{Name: d.Name, BytesRead: d.BytesRead, BytesWritten: d.BytesWritten}
		if d.Cycles > 0 {
			j.Cycles = &d.Cycles
		}
		if d.EstimatedNanos > 0 {
			j.EstimatedNanos = &d.EstimatedNanos
		}
		w.Details = append(w.Details, j)
	}
	if cycles > 0 {
		w.NPUCycles = &cycles
	}
	if nanos > 0 {
		w.NPUNanos = &nanos
	}
}

// print shows the rows. Times that the host's clock measured and what is estimated for the board's NPU have columns of
// their own and are never added up.
func (p *profileResult) print(c *console) {
	npu, once := false, true
	for _, w := range p.rows {
		npu = npu || w.NPUCycles != nil
		once = once && w.Runs == 1
	}
	headings := []string{"#>", "kind", "name"}
	if once {
		headings = append(headings, "host time>")
	} else {
		headings = append(headings, "min>", "median>", "p95>")
	}
	headings = append(headings, "share>", "read>", "written>")
	if npu {
		headings = append(headings, "NPU cycles*>", "NPU time*>")
	}
	g := newGrid(headings...)
	for _, w := range p.rows {
		cells := []any{w.Index, w.Kind, w.Name}
		if once {
			cells = append(cells, nanos(w.MinNs))
		} else {
			cells = append(cells, nanos(w.MinNs), nanos(w.MedianNs), nanos(w.P95Ns))
		}
		cells = append(cells, fmt.Sprintf("%.1f%%", 100*w.Share), group(w.BytesRead), group(w.BytesWritten))
		if w.NPUCycles != nil {
			cells = append(cells, group(*w.NPUCycles))
		}
		if w.NPUNanos != nil {
			cells = append(cells, nanos(*w.NPUNanos))
		}
		g.row(cells...)
	}
	g.print(c, "")
	c.printf("clock: %s\n", p.clock)
	if npu {
		c.printf("*: estimated for the board's NPU, not measured here\n")
	}
}

// maxSteps is how many of a delegate's steps people see; scripts get all.
const maxSteps = 10

// printSteps shows what the NPU works on inside each delegate call, the most expensive steps first.
func (p *profileResult) printSteps(c *console) {
	for _, w := range p.rows {
		if w.NPUCycles == nil {
			continue
		}
		steps := slices.Clone(w.Details)
		slices.SortStableFunc(steps, func(a, b detail) int { return cmp.Compare(deref(b.Cycles), deref(a.Cycles)) })
		c.printf("\n[%d] %s on the board's NPU, estimated: %s cycles", w.Index, w.Name, group(*w.NPUCycles))
		if w.NPUNanos != nil {
			c.printf(", %s", nanos(*w.NPUNanos))
		}
		c.printf(", %d steps\n", len(steps))
		g := newGrid("step", "NPU cycles*>", "NPU time*>", "read>", "written>")
		for _, s := range steps[:min(len(steps), maxSteps)] {
			g.row(s.Name, group(deref(s.Cycles)), nanos(deref(s.EstimatedNanos)), group(s.BytesRead), group(s.BytesWritten))
		}
		g.print(c, "  ")
		if n := len(steps) - maxSteps; n > 0 {
			c.printf("  and %d cheaper ones\n", n)
		}
	}
}

func deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

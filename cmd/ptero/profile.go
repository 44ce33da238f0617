package main

import (
	"context"
	"fmt"
	"sort"
	"time"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
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
	Runs         int      `json:"runs"`
	BytesRead    uint64   `json:"bytes_read"`
	BytesWritten uint64   `json:"bytes_written"`
	NPUCycles    *uint64  `json:"npu_cycles"`
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

// recorder keeps the times of every instruction of several runs, in storage of fixed size.
type recorder struct {
	samples [][]float64
	counts  []int
	scale   float64 // nanoseconds a tick
	stuck   bool
}

func newRecorder(instructions, runs int, hz uint64) *recorder {
	r := &recorder{samples: make([][]float64, instructions), counts: make([]int, instructions), scale: 1e9 / float64(hz)}
	flat := make([]float64, instructions*runs)
	for i := range r.samples {
		r.samples[i] = flat[i*runs : (i+1)*runs]
	}
	return r
}

// Instruction takes one time; what does not fit (loops) replaces older samples in turn.
func (r *recorder) Instruction(index int, start, end uint64) {
	s := r.samples[index]
	s[r.counts[index]%len(s)] = float64(end-start) * r.scale
	r.counts[index]++
}

// profileResult is what a number of traced runs showed.
type profileResult struct {
	runNanos uint64 // of the last run
	rows     []row
	clock    string
}

// profile runs a method with tracing, a number of times.
func profile(ctx context.Context, m *ptero.Model, f *ptero.Method, runs int) (*profileResult, error) {
	clock := m.Board().Clock()
	l := f.Linked()
	r := newRecorder(l.Instructions(), runs, clock.Hz())
	if err := f.Trace(r); err != nil {
		return nil, err
	}
	defer f.Trace(nil)
	p := &profileResult{clock: fmt.Sprintf("%s, %s a tick", clock.Name(), nanos(1e9/float64(clock.Hz())))}
	first := clock.Now()
	for range runs {
		start := time.Now()
		if err := f.Run(ctx); err != nil {
			return nil, err
		}
		p.runNanos = uint64(time.Since(start))
	}
	if l.Instructions() > 0 && clock.Now() == first {
		return nil, fault.New(fault.Internal, "clock "+clock.Name(), "a counter that advances", fmt.Sprintf("%d before and after %d runs", first, runs))
	}
	total := 0.0
	for i := range r.samples {
		n := min(r.counts[i], runs)
		if n == 0 {
			continue // never executed: a branch not taken
		}
		s := r.samples[i][:n]
		sort.Float64s(s)
		st := l.Step(i)
		w := row{Index: i, Chain: st.Chain, Kind: st.Kind, Name: st.Name, Runs: r.counts[i], MinNs: s[0], MedianNs: s[n/2], P95Ns: s[(n-1)*95/100],
			BytesRead: st.BytesRead, BytesWritten: st.BytesWritten}
		if d, ok := st.Delegate.(executor.Detailer); ok {
			w.describe(d.Details())
		}
		total += w.MedianNs * float64(r.counts[i]) / float64(runs)
		p.rows = append(p.rows, w)
	}
	for i := range p.rows {
		w := &p.rows[i]
		if total > 0 {
			w.Share = w.MedianNs * float64(w.Runs) / float64(runs) / total
		}
	}
	return p, nil
}

func (w *row) describe(list []executor.Detail) {
	var cycles uint64
	for _, d := range list {
		cycles += d.Cycles
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
}

func (p *profileResult) print(c *console) {
	npu := false
	for _, w := range p.rows {
		npu = npu || w.NPUCycles != nil
	}
	headings := []string{"#>", "kind", "name", "min>", "median>", "p95>", "share>", "read>", "written>"}
	if npu {
		headings = append(headings, "NPU cycles (estimate)>")
	}
	g := newGrid(headings...)
	for _, w := range p.rows {
		cells := []any{w.Index, w.Kind, w.Name, nanos(w.MinNs), nanos(w.MedianNs), nanos(w.P95Ns), fmt.Sprintf("%.1f%%", 100*w.Share), group(w.BytesRead), group(w.BytesWritten)}
		if w.NPUCycles != nil {
			cells = append(cells, group(*w.NPUCycles))
		}
		g.row(cells...)
	}
	g.print(c, "")
	c.printf("clock: %s\n", p.clock)
}

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/pte"
)

// benchJSON has the keys of the peers' benchmark runner, so that all are measured in one run, and some more. Times are
// nanoseconds per execution; a figure that could not be measured is null.
type benchJSON struct {
	Runtime        string       `json:"runtime"`
	File           string       `json:"pte"`
	Method         string       `json:"method"`
	Board          string       `json:"board"`
	Threads        int          `json:"threads"`
	ProgramLoad    int64        `json:"program_load_ns"`
	MethodInit     int64        `json:"method_init_ns"`
	Link           int64        `json:"link_ns"`
	Fit            int64        `json:"fit_ns"`
	Bind           int64        `json:"bind_ns"`
	ProgramLoadMin int64        `json:"program_load_min_ns"`
	MethodInitMin  int64        `json:"method_init_min_ns"`
	FirstRun       int64        `json:"first_run_ns"`
	SteadyMin      float64      `json:"steady_min_ns"`
	SteadyMedian   float64      `json:"steady_median_ns"`
	SteadyP90      float64      `json:"steady_p90_ns"`
	Samples        int          `json:"samples"`
	Batch          int          `json:"batch"`
	CPUMin         *float64     `json:"cpu_min_ns"`
	CPUMedian      *float64     `json:"cpu_median_ns"`
	RSSStart       *uint64      `json:"rss_start_bytes"`
	RSSSteady      *uint64      `json:"rss_steady_bytes"`
	RSSPeak        *uint64      `json:"peak_rss_bytes"`
	PlannedBytes   uint64       `json:"planned_bytes"`
	PlannedBuffers []uint64     `json:"planned_buffers"`
	Instructions   int          `json:"instructions"`
	Outputs        []outputJSON `json:"outputs"`
	AllocsPerRun   float64      `json:"allocs_per_run"`
	Clock          string       `json:"clock"`
	ClockHz        uint64       `json:"clock_hz"`
	NPUCycles      *uint64      `json:"npu_cycles"`
	PerInstruction []row        `json:"per_instruction,omitempty"`
}

func newBench(c *console) *cobra.Command {
	var s setup
	var inputs []string
	var seconds float64
	var perInstruction bool
	cmd := &cobra.Command{
		Use:   "bench FILE",
		Short: "Measure how fast a program loads and runs",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if seconds <= 0 {
				return wrongFlag("--time", "more than 0", fmt.Sprint(seconds))
			}
			b := &bench{console: c, setup: &s, inputs: inputs, seconds: seconds, perInstruction: perInstruction}
			j, p, err := b.measure(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if c.json {
				return c.document(j)
			}
			j.print(c, p)
			return nil
		},
	}
	s.runFlags(cmd)
	cmd.Flags().StringArrayVarP(&inputs, "input", "i", nil, "an input, as for run (default: all ones)")
	cmd.Flags().Float64Var(&seconds, "time", 1, "seconds of timed runs")
	cmd.Flags().BoolVar(&perInstruction, "per-instruction", false, "a row for every instruction")
	return cmd
}

type bench struct {
	*console
	*setup
	inputs         []string
	seconds        float64
	perInstruction bool
}

// loaded is a program taken through all phases, with the time of each.
type loaded struct {
	file                     *pte.File
	model                    *ptero.Model
	method                   *ptero.Method
	program, link, fit, bind time.Duration
}

func (l *loaded) Close() error {
	return errors.Join(l.method.Close(), l.model.Close(), l.file.Close())
}

// load times the phases. The board, the operator table and the workers are set up in between, untimed, as the
// runtime's own start.
func (b *bench) load(path string) (*loaded, error) {
	options, err := b.options(b.console)
	if err != nil {
		return nil, err
	}
	l := &loaded{}
	start := time.Now()
	if l.file, err = pte.Open(path); err != nil {
		return nil, inPhase(exitFile, fault.Under(path, err))
	}
	p, err := l.file.Program()
	l.program = time.Since(start)
	if err != nil {
		return nil, inPhase(exitFile, fault.Under(path, err))
	}
	if l.model, err = ptero.New(p, append(options, ptero.From(l.file))...); err != nil {
		return nil, inPhase(exitFile, err)
	}
	name, err := b.choose(l.model)
	if err != nil {
		return nil, err
	}
	start = time.Now()
	linked, err := l.model.Link(name)
	l.link = time.Since(start)
	if err != nil {
		return nil, inPhase(exitFile, err)
	}
	start = time.Now()
	layout, err := l.model.Fit(linked)
	l.fit = time.Since(start)
	if err != nil {
		return nil, inPhase(exitFit, err)
	}
	start = time.Now()
	l.method, err = l.model.BindTo(linked, layout)
	l.bind = time.Since(start)
	if err != nil {
		return nil, inPhase(exitFit, err)
	}
	return l, nil
}

func (b *bench) measure(ctx context.Context, path string) (*benchJSON, *profileResult, error) {
	j := &benchJSON{Runtime: "ptero", File: path, RSSStart: statusBytes("VmRSS:"), PlannedBuffers: []uint64{}}
	l, err := b.load(path)
	if err != nil {
		return nil, nil, err
	}
	defer l.Close()
	debug.FreeOSMemory() // what loading left is not what running takes
	f := l.method
	j.Method, j.Board, j.Threads = f.Linked().Method(), l.model.Board().Name(), l.model.Workers()
	j.ProgramLoad, j.Link, j.Fit, j.Bind = int64(l.program), int64(l.link), int64(l.fit), int64(l.bind)
	j.MethodInit = j.Link + j.Fit + j.Bind
	j.Instructions = f.Linked().Instructions()
	for _, n := range f.PlannedBuffers() {
		j.PlannedBuffers = append(j.PlannedBuffers, n)
		j.PlannedBytes += n
	}
	clock := l.model.Board().Clock()
	j.Clock, j.ClockHz = clock.Name(), clock.Hz()
	if err := setInputs(f, b.inputs, "ones"); err != nil {
		return nil, nil, err
	}
	start := time.Now()
	if err := f.Run(ctx); err != nil {
		return nil, nil, inPhase(exitFailed, err)
	}
	j.FirstRun = int64(time.Since(start))
	j.Outputs = summarise(f)
	if err := b.steady(ctx, f, j); err != nil {
		return nil, nil, inPhase(exitFailed, err)
	}
	j.RSSSteady, j.RSSPeak = statusBytes("VmRSS:"), statusBytes("VmHWM:")
	j.ProgramLoadMin, j.MethodInitMin = j.ProgramLoad, j.MethodInit
	for range 5 {
		runtime.GC() // so that this load takes the memory that the one before gave back, as where memory is freed
		again, err := b.load(path)
		if err != nil {
			return nil, nil, err
		}
		j.ProgramLoadMin = min(j.ProgramLoadMin, int64(again.program))
		j.MethodInitMin = min(j.MethodInitMin, int64(again.link+again.fit+again.bind))
		if err := again.Close(); err != nil {
			return nil, nil, err
		}
	}
	p, err := b.breakdown(ctx, l, j)
	return j, p, err
}

// steady times runs until the time is up; short ones in batches of about 50 µs.
func (b *bench) steady(ctx context.Context, f *ptero.Method, j *benchJSON) error {
	per := time.Duration(j.FirstRun)
	for range 3 {
		if per > 500*time.Millisecond {
			break
		}
		start := time.Now()
		if err := f.Run(ctx); err != nil {
			return err
		}
		per = min(per, time.Since(start))
	}
	j.Batch = 1
	if per < 25*time.Microsecond {
		j.Batch = int(max(1, 50*time.Microsecond/max(per, 50)))
	}
	room := min(1<<16, 16+2*int(b.seconds*1e9/float64(max(int64(per)*int64(j.Batch), 1000))))
	samples, cpu := make([]float64, 0, room), make([]float64, 0, room)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	end := time.Now().Add(time.Duration(b.seconds * float64(time.Second)))
	for len(samples) < 3 || time.Now().Before(end) {
		if len(samples) == cap(samples) {
			break
		}
		c0, ok := cpuNow()
		start := time.Now()
		for range j.Batch {
			if err := f.Run(ctx); err != nil {
				return err
			}
		}
		samples = append(samples, float64(time.Since(start))/float64(j.Batch))
		if c1, ok2 := cpuNow(); ok && ok2 {
			cpu = append(cpu, float64(c1-c0)/float64(j.Batch))
		}
	}
	runtime.ReadMemStats(&after)
	j.AllocsPerRun = float64((after.Mallocs - before.Mallocs) / uint64(len(samples)*j.Batch))
	sort.Float64s(samples)
	j.Samples = len(samples)
	j.SteadyMin, j.SteadyMedian, j.SteadyP90 = samples[0], samples[len(samples)/2], samples[(len(samples)-1)*9/10]
	if len(cpu) > 0 {
		sort.Float64s(cpu)
		j.CPUMin, j.CPUMedian = &cpu[0], &cpu[len(cpu)/2]
	}
	return nil
}

// breakdown runs with tracing, for the rows of single instructions and the NPU's cycles.
func (b *bench) breakdown(ctx context.Context, l *loaded, j *benchJSON) (*profileResult, error) {
	if !b.perInstruction && !l.method.HasDelegates() {
		return nil, nil
	}
	runs := 1
	if b.perInstruction {
		runs = max(3, min(200, int(b.seconds*1e9/max(j.SteadyMedian, 1))))
	}
	p, err := profile(ctx, l.model, l.method, runs)
	if err != nil {
		return nil, inPhase(exitFailed, err)
	}
	for _, r := range p.rows {
		if r.NPUCycles != nil {
			if j.NPUCycles == nil {
				j.NPUCycles = new(uint64)
			}
			*j.NPUCycles += *r.NPUCycles
		}
	}
	if b.perInstruction {
		j.PerInstruction = p.rows
	}
	return p, nil
}

func (j *benchJSON) print(c *console, p *profileResult) {
	c.printf("%s, method %s, board %s, %d threads\n\n", j.File, j.Method, j.Board, j.Threads)
	g := newGrid("phase", "time>", "best of 6>")
	g.row("load (open, verify, decode)", nanos(float64(j.ProgramLoad)), nanos(float64(j.ProgramLoadMin)))
	g.row("init (link, fit, bind)", nanos(float64(j.MethodInit)), nanos(float64(j.MethodInitMin)))
	g.row("  link", nanos(float64(j.Link)), "")
	g.row("  fit", nanos(float64(j.Fit)), "")
	g.row("  bind", nanos(float64(j.Bind)), "")
	g.row("first run", nanos(float64(j.FirstRun)), "")
	g.print(c, "")
	c.printf("\nsteady run: min %s, median %s, p90 %s (%d samples of %d runs)\n", nanos(j.SteadyMin), nanos(j.SteadyMedian), nanos(j.SteadyP90), j.Samples, j.Batch)
	if j.CPUMin != nil {
		c.printf("CPU time:   min %s, median %s\n", nanos(*j.CPUMin), nanos(*j.CPUMedian))
	}
	c.printf("allocations per run: %g\n", j.AllocsPerRun)
	if j.RSSPeak != nil {
		c.printf("memory: %s B planned, %s B resident at peak\n", group(j.PlannedBytes), group(*j.RSSPeak))
	}
	if j.NPUCycles != nil {
		c.printf("NPU cycles (estimate): %s\n", group(*j.NPUCycles))
	}
	if j.PerInstruction != nil {
		c.printf("\n")
		p.print(c)
	}
}

// statusBytes reads a figure of /proc/self/status, nil where there is none.
func statusBytes(key string) *uint64 {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return nil
	}
	defer f.Close()
	for scan := bufio.NewScanner(f); scan.Scan(); {
		if rest, ok := strings.CutPrefix(scan.Text(), key); ok {
			n, err := strconv.ParseUint(strings.Fields(rest)[0], 10, 64)
			if err != nil {
				return nil
			}
			n *= 1024
			return &n
		}
	}
	return nil
}

// cpuNow is the CPU time of all threads of the process.
func cpuNow() (int64, bool) {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		return 0, false
	}
	return t.Nano(), true
}

package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/ptero-rt/ptero/backends/cpu"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/hal/sim"
	"github.com/ptero-rt/ptero/internal/ptebuild"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// enough time for one reading of the clock, which goes through all threads of the process, a microsecond or more.
const enough = 400 * time.Microsecond

// rowMajor are operators of ExecuTorch that take tensors of another dim order for row-major ones: what they give is wrong,
// and how long that takes says nothing. pytorch/executorch #21865 makes such calls errors.
var rowMajor = map[string]bool{"aten::cat.out": true, "aten::slice_copy.Tensor_out": true, "aten::constant_pad_nd.out": true}

// BenchmarkOps runs each row of the table as a program of one instruction.
func BenchmarkOps(b *testing.B) { measure(b, table, false) }

// BenchmarkVariants does so with further shapes, layouts and dtypes.
func BenchmarkVariants(b *testing.B) { measure(b, variants, true) }

func measure(b *testing.B, table string, full bool) {
	copied := copyRate()
	for _, line := range rowsOf(b, table) {
		name, words, _ := strings.Cut(line, " ")
		label := name
		if full {
			label = line
		}
		b.Run(label, func(b *testing.B) {
			program := ptebuild.New()
			moved := assemble(b, program.Method("forward"), name, words)
			file := program.Encode(b)
			m := bind(b, file)
			least, batch := math.Inf(1), 1 // nanoseconds
			run := func() {
				start := cpuTime(b)
				var err error
				for i := 0; i < batch && err == nil; i++ {
					err = m.Run(context.Background())
				}
				require.NoError(b, err)
				least = min(least, float64(cpuTime(b)-start)/float64(batch))
			}
			for range 4 { // the first meets memory that was never touched
				run()
			}
			for range 2 { // the first time counts the reading as well
				batch = max(1, int(float64(enough)/max(least, 1)))
				run()
			}
			for b.Loop() {
				run()
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(least/1e3, "µs")
			b.ReportMetric(float64(moved)/least, "GB/s")
			b.ReportMetric(least*copied/float64(moved), "×copy")
			if rowMajor[name] && strings.Contains(words, "^") {
				return
			}
			if peer := peerTime(b, name, file, batch); peer > 0 {
				b.ReportMetric(peer/1e3, "ET-µs")
				b.ReportMetric(peer/least, "ET/ptero")
			}
		})
	}
}

// cpuTime is that of the whole process: it does not count what others do on the machine.
func cpuTime(b *testing.B) time.Duration {
	var t unix.Timespec
	require.NoError(b, unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t))
	return time.Duration(t.Nano())
}

// copyRate is bytes moved by a nanosecond of copying, read and written. All pages are written first: the system gives one
// and the same for those that were not. Larger pieces would go past the caches.
func copyRate() float64 {
	const piece = 1 << 18
	src, dst := bytes.Repeat([]byte{1}, 4<<20), make([]byte, 4<<20)
	least := time.Duration(1 << 62)
	for range 50 {
		start := time.Now()
		for i := 0; i < len(src); i += piece {
			copy(dst[i:i+piece], src[i:])
		}
		least = min(least, time.Since(start))
	}
	return float64(2*len(src)) / float64(least.Nanoseconds())
}

// bind makes a method of a program's bytes, inputs of ones.
func bind(b *testing.B, file []byte, backends ...executor.Backend) *executor.Method {
	program, err := pte.Parse(file)
	require.NoError(b, err)
	board, err := sim.Host()
	require.NoError(b, err)
	b.Cleanup(func() { board.Close() })
	l, err := executor.Link(program, "", executor.Config{Ops: cpu.Ops(), Backends: backends})
	require.NoError(b, err)
	space := memory.NewSpace(board)
	layout, err := l.Fit(space)
	require.NoError(b, err)
	m, err := l.Bind(space, layout)
	require.NoError(b, err)
	b.Cleanup(func() { m.Close() })
	for i := range m.NumInputs() {
		if t := m.Input(i).Tensor(); t != nil {
			require.NoError(b, m.SetInput(i, executor.NewTensorValue(ones(t))))
		}
	}
	return m
}

func ones(like *executor.Tensor) *executor.Tensor {
	t := executor.NewTensorOrder(like.DType, like.Sizes, like.DimOrder, nil)
	switch t.DType {
	case 6:
		set(executor.Slice[float32](t), 1)
	case 7:
		set(executor.Slice[float64](t), 1)
	case 5:
		set(executor.Slice[uint16](t), 0x3c00)
	case 15:
		set(executor.Slice[uint16](t), 0x3f80)
	case 4:
		set(executor.Slice[int64](t), 1)
	case 3:
		set(executor.Slice[int32](t), 1)
	default:
		set(t.Data, 1)
	}
	return t
}

func set[T executor.Element](x []T, v T) {
	for i := range x {
		x[i] = v
	}
}

// peerTime is ExecuTorch's least CPU time for a program, in nanoseconds, over as many runs between readings of the clock; 0
// where there is no runner or it refuses.
func peerTime(b *testing.B, name string, file []byte, batch int) float64 {
	runner := os.Getenv("PTERO_PEER_RUNNER")
	if runner == "" {
		return 0
	}
	dir := os.Getenv("PTERO_PEER_KEEP")
	if dir == "" {
		dir = b.TempDir()
	}
	path := filepath.Join(dir, strings.NewReplacer("::", ".", " ", "_").Replace(name)+".pte")
	require.NoError(b, os.WriteFile(path, file, 0o644))
	out, err := exec.Command(runner, "--threads", "1", "--time", "0.1", "--batch", strconv.Itoa(batch), "--load-repeats", "0", path).Output()
	var result struct {
		Min   float64 `json:"cpu_min_ns"`
		Error string  `json:"error"`
	}
	if json.Unmarshal(out, &result) != nil || err != nil || result.Error != "" {
		b.Logf("the peer says: %v %s", err, out)
		return 0
	}
	return result.Min
}

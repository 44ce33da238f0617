package executor_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/executor/backendtest"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/internal/ptebuild"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// hanging is Sum whose device does not finish while told to hang.
type hanging struct {
	backendtest.Sum
	hang   *bool
	resets bool
}

type hangingDelegate struct {
	executor.Delegate
	hang *bool
}

func (h hanging) Init(b executor.Blob) (executor.Delegate, error) {
	d, err := h.Sum.Init(b)
	if h.resets {
		return resettingDelegate{hangingDelegate{d, h.hang}}, err
	}
	return hangingDelegate{d, h.hang}, err
}

type resettingDelegate struct{ hangingDelegate }

func (d resettingDelegate) Recover(context.Context) error {
	if *d.hang {
		return errors.New("the device does not answer")
	}
	return nil
}

func (d hangingDelegate) Execute(s *executor.Scope, args []*executor.Value) error {
	if *d.hang {
		return fmt.Errorf("no answer in time: %w", executor.ErrDeviceBusy)
	}
	return d.Delegate.Execute(s, args)
}

// A device that may still write keeps the memory of its run until it was reset.
func TestDeviceBusyQuarantines(t *testing.T) {
	hang := true
	m := newDelegated()
	m.args = append(m.args, m.m.Scratch(64, 1).At(1, 256))
	c := sumConfig()
	c.Backends = []executor.Backend{hanging{hang: &hang}}
	method := bind(t, host(t), m.finish(t), "", c)
	require.NoError(t, method.SetInputTensor(0, executor.NewTensor(pte.Byte, []int{16}, nil)))
	err := method.Run(context.Background())
	require.ErrorIs(t, err, executor.ErrDeviceBusy)
	require.Contains(t, err.Error(), "plan[0].instructions[1] SumBackend")
	hang = false
	require.ErrorIs(t, method.Run(context.Background()), memory.ErrQuarantined)
	method.Holding().Recover()
	require.NoError(t, method.Run(context.Background()))

	// A delegate that can reset its device does so by itself.
	c.Backends = []executor.Backend{hanging{hang: &hang, resets: true}}
	method = bind(t, host(t), m.b.Parse(t), "", c)
	require.NoError(t, method.SetInputTensor(0, executor.NewTensor(pte.Byte, []int{16}, nil)))
	hang = true
	require.ErrorIs(t, method.Run(context.Background()), executor.ErrDeviceBusy)
	wantCode(t, fault.Internal, method.Run(context.Background()), "delegates[0] SumBackend", "reset failed")
	hang = false
	require.NoError(t, method.Run(context.Background()))
}

// Many goroutines, methods and strategies on one space whose unused memory is poisoned: every output is right.
func TestStrategiesTogether(t *testing.T) {
	board, err := smallHost()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, board.Close()) })
	space := memory.NewSpace(board, memory.Poison())
	var all sync.WaitGroup
	for g := range 8 {
		b := ptebuild.New()
		counterMethod(b, "forward", 1, nil)
		p := b.Method("loop")
		x, mid, y := p.Input(pte.Float, 64), p.Tensor(pte.Float, 64), p.Tensor(pte.Float, 64)
		for range 10 {
			p.Kernel("aten::add.out", x, x, p.Int(1), mid, mid)
			p.Kernel("test::temp.out", mid, p.Int(500), y, y)
		}
		p.Output(y)
		program := b.Parse(t)
		count := bind(t, space, program, "forward", executor.Config{Strategy: memory.Strategy(g % 3)})
		loop := bind(t, space, program, "loop", executor.Config{Strategy: memory.Strategy((g + 1) % 3)})
		all.Add(1)
		go func() {
			defer all.Done()
			random := rand.New(rand.NewPCG(uint64(g), 1))
			in, sum := make([]float32, 64), float32(0)
			for i := range 100 {
				for k := range in {
					in[k] = random.Float32()
				}
				count.SetStrategy(memory.Strategy(random.IntN(3)))
				loop.SetStrategy(memory.Strategy(random.IntN(3)))
				out, err := runOnce(loop, shaped(in, 64))
				if err != nil || out[63] != 2*in[63] {
					t.Errorf("run %d: %v %v, want %v", i, err, out, 2*in[63])
					return
				}
				loop.ReleaseOutputs()
				sum++
				if out, err = runOnce(count, floats(1, 2)); err != nil || out[0] != sum || out[1] != 2*sum {
					t.Errorf("run %d: %v %v, want %v", i, err, out, sum)
					return
				}
				count.ReleaseOutputs()
			}
		}()
	}
	all.Wait()
}

func runOnce(m *executor.Method, in *executor.Tensor) ([]float32, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	err := errors.Join(m.SetInputTensor(0, in), m.Run(ctx))
	return executor.Slice[float32](m.Output(0).Tensor()), err
}

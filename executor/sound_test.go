package executor_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// Before every instruction, all arena bytes that Demand says nobody needs are overwritten; and all leased memory before and
// after each run. Outputs of real programs must not change: a lifetime that is too short, or state taken for working
// memory, would be a wrong result here.
func TestLifetimesAreSound(t *testing.T) {
	var files []string
	for _, root := range []string{fixtures.Shared(t, "fixtures", "cpu", "models"), fixtures.Shared(t, "models", "pte")} {
		require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if strings.HasSuffix(path, ".bpte") || strings.HasSuffix(path, ".pte") {
				files = append(files, path)
			}
			return err
		}))
	}
	ops, checked := cpu.Ops(), 0
	for _, path := range files {
		p, suites := open(t, path)
		for i := range p.Plans {
			c := executor.Config{Ops: ops, Data: data(t, path)}
			l, err := executor.Link(p, p.Plans[i].Name, c)
			if err != nil {
				continue // a delegate, or an operator that this build does not have
			}
			require.Empty(t, l.Warnings(), path)
			for k, in := range inputs(l, suites, p.Plans[i].Name) {
				want, ok := outcome(t, host(t), p, c, l.Method(), in, false)
				if !ok {
					continue
				}
				got, _ := outcome(t, host(t), p, c, l.Method(), in, true)
				require.Equal(t, want, got, "%s %s case %d", path, l.Method(), k)
				leased := c
				leased.Strategy = memory.Dynamic
				got, _ = outcome(t, host(t, memory.Poison()), p, leased, l.Method(), in, false)
				require.Equal(t, want, got, "%s %s case %d, leased", path, l.Method(), k)
				checked++
			}
			require.NoError(t, l.Close())
		}
	}
	require.Greater(t, checked, 60)
}

func open(t *testing.T, path string) (*pte.Program, []pte.Suite) {
	file, err := os.ReadFile(path)
	require.NoError(t, err)
	var suites []pte.Suite
	if strings.HasSuffix(path, ".bpte") {
		b, err := pte.ParseBundle(file)
		require.NoError(t, err)
		file, suites = b.Program, b.Suites
	}
	p, err := pte.Parse(file)
	require.NoError(t, err, path)
	return p, suites
}

// data reads the .ptd files that belong to a program.
func data(t *testing.T, path string) []*pte.TensorData {
	names, err := filepath.Glob(strings.TrimSuffix(path, ".bpte") + ".*.ptd")
	require.NoError(t, err)
	var list []*pte.TensorData
	for _, n := range names {
		b, err := os.ReadFile(n)
		require.NoError(t, err)
		d, err := pte.ParseTensorData(b)
		require.NoError(t, err)
		list = append(list, d)
	}
	return list
}

// inputs gives the cases of the bundle, or one case of small numbers.
func inputs(l *executor.Linked, suites []pte.Suite, method string) [][]*executor.Value {
	var list [][]*executor.Value
	for _, s := range suites {
		for _, c := range s.Cases {
			if s.Method != method || len(c.Inputs) != l.NumInputs() {
				continue
			}
			var in []*executor.Value
			for _, v := range c.Inputs {
				switch v.Kind {
				case pte.KindTensor:
					sizes := make([]int, len(v.Tensor.Sizes))
					for i, s := range v.Tensor.Sizes {
						sizes[i] = int(s)
					}
					x := executor.NewTensorOrder(v.Tensor.DType, sizes, v.Tensor.DimOrder, nil)
					copy(x.Data, v.Tensor.Bytes)
					in = append(in, executor.NewTensorValue(x))
				case pte.KindInt:
					in = append(in, executor.NewInt(v.Int))
				case pte.KindBool:
					in = append(in, executor.NewBool(v.Bool))
				default:
					in = append(in, executor.NewDouble(v.Double))
				}
			}
			list = append(list, in)
		}
	}
	if list == nil {
		var in []*executor.Value
		for i := range l.NumInputs() {
			v := l.Input(i)
			if x := v.Tensor(); x != nil {
				y := executor.NewTensorOrder(x.DType, x.Sizes, x.DimOrder, nil)
				for k := range y.Data {
					y.Data[k] = byte(k) & 1
				}
				v = executor.NewTensorValue(y)
			}
			in = append(in, v)
		}
		list = append(list, in)
	}
	return list
}

// outcome runs a method twice and gives the bytes of all outputs; poisoned overwrites what Demand calls unused. It is false
// where the run fails or would take too long.
func outcome(t *testing.T, space *memory.Space, p *pte.Program, c executor.Config, method string, in []*executor.Value, poisoned bool) ([]byte, bool) {
	m := bind(t, space, p, method, c)
	ctx := context.Background()
	for i, v := range in {
		require.NoError(t, m.SetInput(i, v))
	}
	var masks map[[2]int][]bool
	if poisoned {
		masks = map[[2]int][]bool{}
	}
	d := m.Linked().Demand()
	var all []byte
	for range 2 {
		for steps := 0; !m.Done(); steps++ {
			if poisoned && steps > 0 {
				for k, a := range d.Arenas {
					key := [2]int{k, m.Next()}
					if masks[key] == nil {
						mask := make([]bool, a.Bytes)
						for _, s := range d.Spans {
							if s.MemID == a.MemID && s.First <= key[1] && key[1] < s.Last {
								for i := range s.Bytes {
									mask[s.Offset+i] = true
								}
							}
						}
						masks[key] = mask
					}
					r, ok := m.Holding().Arena(a.MemID)
					require.True(t, ok)
					for i, used := range masks[key] {
						if !used {
							r.Bytes[i] = 0xA7
						}
					}
				}
			}
			if err := m.Step(ctx); err != nil || steps > 3000 || len(d.Arenas) > 0 && d.Arenas[0].Bytes > 1<<19 {
				return nil, false
			}
		}
		for i := range m.NumOutputs() {
			if x := m.Output(i).Tensor(); x != nil {
				all = append(all, x.Data...)
			} else {
				all = append(all, byte(m.Output(i).Int()))
			}
		}
		require.NoError(t, m.Reset())
	}
	return all, true
}

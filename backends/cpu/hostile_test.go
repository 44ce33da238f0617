package cpu_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/pte"
)

// siteArgs builds the arguments of a program's first instruction as the executor would.
func siteArgs(t *testing.T, root string, e corpusEntry) (name string, args func() []*executor.Value) {
	data, err := os.ReadFile(filepath.Join(root, e.File))
	require.NoError(t, err)
	bundle, err := pte.ParseBundle(data)
	require.NoError(t, err)
	p, err := pte.Parse(append([]byte{}, bundle.Program...))
	require.NoError(t, err)
	plan := &p.Plans[0]
	in := plan.Chains[0].Instructions[0]
	if in.Op != pte.CallKernel {
		return "", nil
	}
	tensorOf := func(v *pte.Tensor) *executor.Tensor {
		sizes := make([]int, len(v.Sizes))
		for i, n := range v.Sizes {
			sizes[i] = int(n)
		}
		x := executor.NewTensorOrder(v.DType, sizes, v.DimOrder, nil)
		if v.DataIndex > 0 && v.Alloc == nil {
			copy(x.Data, p.Constants[v.DataIndex])
			x.MarkConstant()
		}
		x.Dynamism = v.Dynamism
		return x
	}
	return plan.Operators[in.Target].FullName(), func() []*executor.Value {
		made := map[int32]*executor.Value{}
		var value func(i int32) *executor.Value
		value = func(i int32) *executor.Value {
			if i < 0 {
				return executor.NewNone()
			}
			if v := made[i]; v != nil {
				return v
			}
			v := &plan.Values[i]
			var out *executor.Value
			switch v.Kind {
			case pte.KindInt:
				out = executor.NewInt(v.Int)
			case pte.KindBool:
				out = executor.NewBool(v.Bool)
			case pte.KindDouble:
				out = executor.NewDouble(v.Double)
			case pte.KindString:
				out = executor.NewString(v.List.String)
			case pte.KindTensor:
				out = val(tensorOf(v.Tensor))
			case pte.KindDoubleList:
				out = executor.NewDoubles(v.List.Doubles...)
			case pte.KindBoolList:
				out = executor.NewBools(v.List.Bools...)
			case pte.KindIntList:
				var xs []int64
				for _, k := range v.Items() {
					xs = append(xs, value(k).Int())
				}
				out = executor.NewInts(xs...)
			case pte.KindTensorList, pte.KindOptionalTensorList:
				var ts []*executor.Tensor
				for _, k := range v.Items() {
					ts = append(ts, value(k).Tensor())
				}
				out = executor.NewTensors(ts...)
			default:
				out = executor.NewNone()
			}
			made[i] = out
			return out
		}
		var list []*executor.Value
		for _, k := range in.Args {
			list = append(list, value(k))
		}
		return list
	}
}

// hostile are values that a damaged or malicious file may put anywhere.
func hostile() []*executor.Value {
	changing := func(x int64) *executor.Value { v := &executor.Value{}; v.SetInt(x); return v }
	dynamic := executor.NewTensor(arg.F32, []int{2, 3}, nil)
	dynamic.Dynamism = 1
	indices := executor.NewTensor(arg.I64, []int{2}, nil)
	copy(executor.Slice[int64](indices), []int64{math.MaxInt64, math.MinInt64})
	full := executor.NewTensor(arg.F32, []int{2, 3}, nil)
	for i, f := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), math.MaxFloat32, -1, 0} {
		executor.Slice[float32](full)[i] = f
	}
	list := []*executor.Value{
		executor.NewNone(), executor.NewString("what"), executor.NewBool(true), executor.NewDouble(math.NaN()),
		executor.NewDouble(math.Inf(1)), executor.NewDouble(-1e300), executor.NewDouble(0.5), executor.NewInts(), executor.NewInts(0), executor.NewInts(-1),
		executor.NewInts(math.MaxInt64, math.MinInt64), executor.NewInts(math.MaxInt64, math.MaxInt64, math.MaxInt64), executor.NewInts(1<<33, 1<<33), executor.NewInts(0, 0),
		executor.NewInts(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1), executor.NewInts(2, 2), executor.NewInts(1<<17, 1<<17), executor.NewInts(-3, 5),
		executor.NewDoubles(), executor.NewDoubles(1e30, math.NaN()), executor.NewBools(true, false), executor.NewTensors(), executor.NewTensors(full, nil),
		val(executor.NewTensor(arg.F32, nil, nil)), val(executor.NewTensor(arg.U8, []int{0}, nil)), val(full), val(dynamic), val(indices),
		val(executor.NewTensor(arg.F64, []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, nil)), val(executor.NewTensor(arg.C64, []int{2}, nil)),
		val(executor.NewTensor(arg.Bool, []int{2, 3}, nil)), val(executor.NewTensor(arg.U16, []int{3}, nil)), val(executor.NewTensor(14, []int{3}, nil)),
		val(executor.NewTensor(arg.F32, []int{0, 3}, nil)), val(executor.NewTensor(arg.I32, []int{3, 0, 2}, nil)),
	}
	for _, x := range []int64{math.MinInt64, math.MinInt64 + 1, -1 << 40, -2, -1, 0, 1, 2, 3, 7, 15, 1 << 17, 1 << 31, 1 << 40, math.MaxInt64} {
		list = append(list, executor.NewInt(x), changing(x))
	}
	return list
}

// try prepares and runs a call, and gives back what it panicked with.
func try(op executor.Op, args []*executor.Value) (panicked string) {
	defer func() {
		if p := recover(); p != nil {
			var where []string
			for _, l := range strings.Split(string(debug.Stack()), "\n") {
				if strings.Contains(l, "/backends/cpu") && !strings.Contains(l, "_test.go") && strings.Contains(l, ".go:") {
					where = append(where, filepath.Base(strings.Fields(l)[0]))
				}
			}
			panicked = fmt.Sprintf("%v at %v", p, where[:min(3, len(where))])
		}
	}()
	var state any
	temp := 0
	if op.Prepare != nil {
		s, needs, err := op.Prepare(args)
		if err != nil {
			return ""
		}
		for _, n := range needs {
			if n.Bytes > 1<<28 {
				return ""
			}
			if n.Place == 0 {
				temp += int(n.Bytes) + 64
			}
		}
		state = s
	}
	_ = op.Run(executor.NewScope(nil, temp), state, args)
	return ""
}

// TestHostileArguments puts each hostile value into each place of real calls, and shortens the argument list: every
// operator must refuse or do it, and never panic or take memory without bound.
func TestHostileArguments(t *testing.T) {
	root := fixtures.Path("cpu")
	if _, err := os.Stat(filepath.Join(root, "ops", "manifest.json")); err != nil {
		root = fixtures.Shared(t, "fixtures", "cpu")
	}
	raw, err := os.ReadFile(filepath.Join(root, "ops", "manifest.json"))
	require.NoError(t, err)
	var manifest struct{ Files []corpusEntry }
	require.NoError(t, json.Unmarshal(raw, &manifest))
	seen := map[string]int{}
	failures := map[string]string{}
	var before, after runtime.MemStats
	for _, e := range manifest.Files {
		if len(e.Delegates) > 0 || len(e.Ops) == 0 || seen[e.Ops[0]] >= 1 {
			continue
		}
		seen[e.Ops[0]]++
		name, make := siteArgs(t, root, e)
		op, ok := all[name]
		if !ok {
			continue
		}
		args := make()
		for n := range len(args) + 3 {
			short := append([]*executor.Value{}, args[:min(n, len(args))]...)
			for len(short) < n {
				short = append(short, executor.NewNone())
			}
			if p := try(op, short); p != "" {
				failures[fmt.Sprintf("%s with %d arguments", name, n)] = p
			}
		}
		for i := range args {
			for k, v := range hostile() {
				runtime.ReadMemStats(&before)
				changed := make()
				changed[i] = v
				if i == len(changed)-2 && changed[len(changed)-1].Tensor() == args[i].Tensor() && args[i].Tensor() != nil {
					changed[len(changed)-1] = v
				}
				if p := try(op, changed); p != "" {
					failures[fmt.Sprintf("%s argument %d, hostile %d (%v)", name, i, k, v.Kind())] = p
				}
				runtime.ReadMemStats(&after)
				if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
					failures[fmt.Sprintf("%s argument %d, hostile %d", name, i, k)] = fmt.Sprintf("took %d bytes", used)
				}
			}
		}
	}
	require.Empty(t, failures)
	require.Greater(t, len(seen), 200, "operators that were tried")
}

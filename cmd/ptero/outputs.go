package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/internal/npy"
	"github.com/ptero-rt/ptero/pte"
)

// arrayOf gives an output as a .npy holds it: tensors in logical order, numbers and bools as rank-0 arrays.
func arrayOf(v *executor.Value) (*npy.Array, error) {
	t := v.Tensor()
	if t == nil {
		var d executor.DType
		switch v.Kind() {
		case executor.KindInt:
			d = pte.Long
		case executor.KindDouble:
			d = pte.Double
		case executor.KindBool:
			d = pte.Bool
		default:
			return nil, fault.New(fault.NotSupported, "", "a tensor or a number", v.Kind().String())
		}
		t = executor.NewTensor(d, nil, nil)
		switch v.Kind() {
		case executor.KindInt:
			executor.Slice[int64](t)[0] = v.Int()
		case executor.KindDouble:
			executor.Slice[float64](t)[0] = v.Double()
		default:
			executor.Slice[bool](t)[0] = v.Bool()
		}
	}
	code, ok := typeCodes[t.DType]
	if !ok {
		return nil, fault.New(fault.NotSupported, "", "a type that a .npy can hold", t.DType.String())
	}
	a := &npy.Array{Type: code, Shape: append([]int{}, t.Sizes...), Data: make([]byte, t.NBytes())}
	copyLittleEndian(a.Data, t.Logical(), t.DType)
	return a, nil
}

// writeOutputs leaves out_00.npy, out_01.npy, … in a folder that it makes if need be.
func writeOutputs(m *ptero.Method, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for i := range m.NumOutputs() {
		a, err := arrayOf(m.Output(i))
		if err != nil {
			return fault.Under(fmt.Sprintf("outputs[%d]", i), err)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("out_%02d.npy", i)), a.Encode(), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// outputJSON sums an output up, with the keys that the peers' benchmark prints.
type outputJSON struct {
	Shape []int     `json:"shape"`
	First []float64 `json:"first"`
	Sum   jsonFloat `json:"sum"`
	DType string    `json:"dtype"`
}

// jsonFloat prints NaN and infinities as words, which JSON's numbers cannot.
type jsonFloat float64

// MarshalJSON writes a number, or "nan", "inf", "-inf".
func (f jsonFloat) MarshalJSON() ([]byte, error) {
	x := float64(f)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return []byte(fmt.Sprintf("%q", strings.ToLower(strings.TrimPrefix(fmt.Sprint(x), "+")))), nil
	}
	return []byte(fmt.Sprintf("%.17g", x)), nil
}

func summarise(m *ptero.Method) []outputJSON {
	out := []outputJSON{}
	for i := range m.NumOutputs() {
		v := m.Output(i)
		t := v.Tensor()
		if t == nil {
			out = append(out, outputJSON{Shape: []int{}, First: []float64{v.Double()}, Sum: jsonFloat(v.Double()), DType: v.Kind().String()})
			continue
		}
		o := outputJSON{Shape: append([]int{}, t.Sizes...), First: []float64{}, DType: t.DType.String()}
		sum := 0.0
		for k := range t.NumElements() {
			x := number(t, k)
			sum += x
			if k < 4 && !math.IsNaN(x) && !math.IsInf(x, 0) {
				o.First = append(o.First, x)
			}
		}
		o.Sum = jsonFloat(sum)
		out = append(out, o)
	}
	return out
}

// ranked is an element of an output and where it stands.
type ranked struct {
	Index int     `json:"index"`
	Label string  `json:"label,omitempty"`
	Score float64 `json:"score"`
}

// top gives the k largest elements of a tensor, the largest first; equal ones in order of index.
func top(t *executor.Tensor, k int, labels []string) []ranked {
	flat := executor.NewTensor(t.DType, []int{t.NumElements()}, t.Logical())
	all := make([]ranked, flat.NumElements())
	for i := range all {
		all[i] = ranked{Index: i, Score: number(flat, i)}
		if i < len(labels) {
			all[i].Label = labels[i]
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Score > all[j].Score })
	return all[:min(k, len(all))]
}

// readLabels reads one label a line.
func readLabels(path string) ([]string, error) {
	if path == "" {
		return nil, nil
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, usageError{fmt.Errorf("--labels: %w", err)}
	}
	return strings.Split(strings.TrimRight(string(b), "\n"), "\n"), nil
}

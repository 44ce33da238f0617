package main

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
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
			return nil, fault.New(fault.NotSupported, "", "a tensor, number or bool, which a .npy can hold", v.Kind().String())
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
	Shape []int       `json:"shape"`
	First []jsonFloat `json:"first"`
	Sum   jsonFloat   `json:"sum"`
	DType string      `json:"dtype"`
	Value any         `json:"value,omitempty"` // of an output that is not a tensor

	tensor bool
}

func (o *outputJSON) print(c *console, i int) {
	switch {
	case o.Value != nil:
		c.printf("output %d: %s %v\n", i, o.DType, o.Value)
	case !o.tensor:
		c.printf("output %d: %s\n", i, o.DType)
	case len(o.Shape) == 0:
		c.printf("output %d: %s %.9g\n", i, o.DType, float64(o.Sum))
	default:
		c.printf("output %d: %s %v, first %s, sum %.6g\n", i, o.DType, o.Shape, firsts(o.First), float64(o.Sum))
	}
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
			out = append(out, summariseScalar(v))
			continue
		}
		o := outputJSON{Shape: append([]int{}, t.Sizes...), First: []jsonFloat{}, DType: t.DType.String(), tensor: true}
		sum := 0.0
		for k := range t.NumElements() {
			x := number(t, k)
			sum += x
			if k < 4 {
				o.First = append(o.First, jsonFloat(x))
			}
		}
		o.Sum = jsonFloat(sum)
		out = append(out, o)
	}
	return out
}

func summariseScalar(v *executor.Value) outputJSON {
	o := outputJSON{Shape: []int{}, First: []jsonFloat{}, DType: v.Kind().String()}
	x := v.Double()
	switch v.Kind() {
	case executor.KindInt:
		o.Value, x = v.Int(), float64(v.Int())
	case executor.KindDouble:
		o.Value = jsonFloat(v.Double())
	case executor.KindBool:
		o.Value = v.Bool()
		if v.Bool() {
			x = 1
		}
	case executor.KindString:
		o.Value = v.String()
		return o
	default:
		return o
	}
	o.First, o.Sum = append(o.First, jsonFloat(x)), jsonFloat(x)
	return o
}

// ranked is an element of an output and where it stands.
type ranked struct {
	Index int       `json:"index"`
	Label string    `json:"label,omitempty"`
	Score jsonFloat `json:"score"`
}

// top gives the k largest elements of a tensor, the largest first; equal ones in order of index, NaN last.
func top(t *executor.Tensor, k int, labels []string) []ranked {
	flat := executor.NewTensor(t.DType, []int{t.NumElements()}, t.Logical())
	all := make([]ranked, flat.NumElements())
	for i := range all {
		all[i] = ranked{Index: i, Score: jsonFloat(number(flat, i))}
		if i < len(labels) {
			all[i].Label = labels[i]
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(b.Score, a.Score) })
	return all[:min(k, len(all))]
}

// readLabels reads one label a line.
func readLabels(path string) ([]string, error) {
	if path == "" {
		return nil, nil
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, usageError{fmt.Errorf("--labels %w", fault.Under(path, err))}
	}
	return strings.Split(strings.TrimRight(string(b), "\n"), "\n"), nil
}

package main

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/npy"
	"github.com/ptero-rt/ptero/pte"
)

var bigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

// typeCodes are NumPy's codes of the dtypes that a .npy can hold; bfloat16 travels as its bits.
var typeCodes = map[executor.DType]string{
	pte.Byte: "u1", pte.Char: "i1", pte.Short: "i2", pte.Int: "i4", pte.Long: "i8", pte.Half: "f2", pte.Float: "f4",
	pte.Double: "f8", pte.ComplexFloat: "c8", pte.ComplexDouble: "c16", pte.Bool: "b1", pte.BFloat16: "u2",
	pte.UInt16: "u2", pte.UInt32: "u4", pte.UInt64: "u8", pte.Bits16: "u2",
}

// setInputs gives a method the inputs of the command line: "-i FILE.npy" in order, "-i NAME_OR_INDEX=FILE.npy", numbers,
// bools and "none"; what is left out is filled.
func setInputs(m *ptero.Method, args []string, fill string) error {
	given := make([]bool, m.NumInputs())
	next := 0
	for _, a := range args {
		i := next
		if name, rest, ok := strings.Cut(a, "="); ok {
			n, err := m.InputIndex(name)
			if err != nil {
				return usageError{fmt.Errorf("-i %s: %w", a, err)}
			}
			i, a = n, rest
		}
		next = i + 1
		if i >= len(given) {
			return usageError{fmt.Errorf("-i %s: want at most %d inputs, found one more", a, len(given))}
		}
		v, err := readInput(m, i, a)
		if err != nil {
			return usageError{fmt.Errorf("input %d: %w", i, err)}
		}
		if err := m.SetInput(i, v); err != nil {
			return usageError{fmt.Errorf("-i %s: %w", a, err)}
		}
		given[i] = true
	}
	for i, ok := range given {
		if ok {
			continue
		}
		v := m.Input(i)
		t := v.Tensor()
		if t == nil {
			if err := m.SetInput(i, v); err != nil {
				return err
			}
			continue
		}
		if fill == "" {
			return usageError{fmt.Errorf("input %d (%v %v): want -i FILE.npy or --fill ones|zeros|random:SEED, found neither", i, t.DType, t.Sizes)}
		}
		own := executor.NewTensorOrder(t.DType, t.Sizes, t.DimOrder, nil)
		if err := fillTensor(own, fill, i); err != nil {
			return usageError{err}
		}
		if err := m.SetInputTensor(i, own); err != nil {
			return err
		}
	}
	return nil
}

func readInput(m *ptero.Method, i int, arg string) (*executor.Value, error) {
	want := m.Input(i)
	if t := want.Tensor(); t != nil {
		if arg == "none" {
			return executor.NewNone(), nil
		}
		if x, ok := parseNumber(arg); ok && t.Rank() == 0 {
			return rankZero(t.DType, x)
		}
		return readTensor(t, arg)
	}
	if strings.HasSuffix(arg, ".npy") {
		a, err := npy.ReadFile(arg)
		if err != nil {
			return nil, err
		}
		return scalarOf(a, want.Kind())
	}
	switch want.Kind() {
	case executor.None:
		return executor.NewNone(), nil
	case executor.KindString:
		return executor.NewString(arg), nil
	case executor.KindBool:
		if b, err := strconv.ParseBool(arg); err == nil {
			return executor.NewBool(b), nil
		}
	case executor.KindInt:
		if n, err := strconv.ParseInt(arg, 0, 64); err == nil {
			return executor.NewInt(n), nil
		}
	case executor.KindDouble:
		if f, err := strconv.ParseFloat(arg, 64); err == nil {
			return executor.NewDouble(f), nil
		}
	}
	return nil, fmt.Errorf("want a %v, found %q", want.Kind(), arg)
}

// parseNumber reads a number or a bool as the command line gives it.
func parseNumber(s string) (arg.Scalar, bool) {
	if n, err := strconv.ParseInt(s, 0, 64); err == nil {
		return arg.Scalar{Kind: executor.KindInt, I: n}, true
	}
	if x, err := strconv.ParseFloat(s, 64); err == nil {
		return arg.Scalar{Kind: executor.KindDouble, F: x}, true
	}
	switch s {
	case "true":
		return arg.Scalar{Kind: executor.KindInt, I: 1}, true
	case "false":
		return arg.Scalar{Kind: executor.KindInt}, true
	}
	return arg.Scalar{}, false
}

// rankZero makes a tensor of one number, which must fit the dtype.
func rankZero(d executor.DType, x arg.Scalar) (*executor.Value, error) {
	t := executor.NewTensor(d, nil, nil)
	walk.Put(t.Data, d, x)
	if got := walk.Get(t.Data, d, 0); got.Kind == executor.KindInt && (x.Kind != executor.KindInt || got.I != x.I) {
		return nil, fmt.Errorf("want %v, found %v", d, x.Float())
	}
	return executor.NewTensorValue(t), nil
}

// scalarOf reads a rank-0 array as the scalar that the program wants.
func scalarOf(a *npy.Array, kind executor.Kind) (*executor.Value, error) {
	for d, code := range typeCodes {
		if code != a.Type || len(a.Data) != d.Size() || d == pte.BFloat16 || d == pte.Bits16 {
			continue
		}
		t := executor.NewTensor(d, nil, nil)
		copyLittleEndian(t.Data, a.Data, d)
		x := walk.Get(t.Data, d, 0)
		switch {
		case kind == executor.KindInt && x.Kind == executor.KindInt:
			return executor.NewInt(x.I), nil
		case kind == executor.KindBool && x.Kind == executor.KindBool:
			return executor.NewBool(x.I != 0), nil
		case kind == executor.KindDouble:
			return executor.NewDouble(x.Float()), nil
		}
	}
	return nil, fmt.Errorf("want one %v, found an array of type %s and shape %v", kind, a.Type, a.Shape)
}

func readTensor(t *executor.Tensor, path string) (*executor.Value, error) {
	a, err := npy.ReadFile(path)
	if err != nil {
		return nil, err
	}
	code, ok := typeCodes[t.DType]
	if !ok {
		return nil, fmt.Errorf("%s: a .npy cannot hold %v", path, t.DType)
	}
	if a.Type != code {
		return nil, fmt.Errorf("%s: want %v (%s), found %s", path, t.DType, code, a.Type)
	}
	if len(a.Shape) != t.Rank() {
		return nil, fmt.Errorf("%s: want rank %d (sizes %v), found sizes %v", path, t.Rank(), t.Sizes, a.Shape)
	}
	own := executor.NewTensorOrder(t.DType, a.Shape, t.DimOrder, nil)
	host := make([]byte, len(a.Data))
	copyLittleEndian(host, a.Data, t.DType)
	own.SetLogical(host)
	return executor.NewTensorValue(own), nil
}

// copyLittleEndian copies elements of dtype d between little-endian and the host's order.
func copyLittleEndian(dst, src []byte, d executor.DType) {
	copy(dst, src)
	if bigEndian {
		npy.Swap(dst, componentBytes(d))
	}
}

func componentBytes(d executor.DType) int {
	if d == pte.ComplexFloat || d == pte.ComplexDouble || d == pte.ComplexHalf {
		return d.Size() / 2
	}
	return d.Size()
}

// fillTensor fills an input by rule: ones, zeros, or random:SEED. Random floats lie in [−1, 1), integers over their range
// (64-bit ones below 100, since they are mostly indices).
func fillTensor(t *executor.Tensor, rule string, input int) error {
	switch {
	case rule == "ones":
		fillNumber(t, 1)
	case rule == "zeros":
	case strings.HasPrefix(rule, "random:"):
		seed, err := strconv.ParseUint(rule[len("random:"):], 10, 64)
		if err != nil {
			return fmt.Errorf("--fill %s: want random:SEED with a number", rule)
		}
		r := rand.New(rand.NewPCG(seed, uint64(input)))
		for i := range t.NumElements() {
			switch t.DType {
			case pte.Float, pte.Double, pte.Half, pte.BFloat16:
				setNumber(t, i, 2*r.Float64()-1)
			case pte.Bool:
				setNumber(t, i, float64(r.IntN(2)))
			case pte.Char:
				setNumber(t, i, float64(r.IntN(256)-128))
			case pte.Byte:
				setNumber(t, i, float64(r.IntN(256)))
			case pte.Short:
				setNumber(t, i, float64(r.IntN(65536)-32768))
			default:
				setNumber(t, i, float64(r.IntN(100)))
			}
		}
	default:
		return fmt.Errorf("--fill: want ones, zeros or random:SEED, found %q", rule)
	}
	return nil
}

func fillNumber(t *executor.Tensor, x float64) {
	for i := range t.NumElements() {
		setNumber(t, i, x)
	}
}

// setNumber sets the i-th element in memory order.
func setNumber(t *executor.Tensor, i int, x float64) {
	walk.Put(t.Data[i*t.DType.Size():], t.DType, arg.Scalar{Kind: executor.KindDouble, F: x})
}

// number reads the i-th element in memory order; the real part of complex ones.
func number(t *executor.Tensor, i int) float64 { return walk.Get(t.Data, t.DType, i).Float() }

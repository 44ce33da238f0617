package bench

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/internal/ptebuild"
	"github.com/ptero-rt/ptero/pte"
)

var dtypes = map[string]pte.DType{"u8": 0, "i8": 1, "i16": 2, "i32": 3, "i64": 4, "f16": 5, "f32": 6, "f64": 7, "c64": 9, "bool": 11, "bf16": 15}

// assemble makes the call that a line describes and gives the bytes of its tensors. Its words are the arguments:
//
//	f32:4,5      a tensor, an input of the program        >f32:4,5   an output
//	f32:1,2,4,5^0231  one with another dim order
//	i64:6%9      a constant of numbers spread over 0…8
//	3  0.5  true  none  'floor'  [1,2]                    plain values
//	{f32:4 f32:5}  (none i64:6%9)                         lists of tensors, the second with optional ones
//	{>f32:4 >f32:5}                                       a list of outputs
func assemble(t testing.TB, m *ptebuild.Method, name, words string) (moved int) {
	a := &assembly{t: t, m: m}
	var args, outs []ptebuild.Value
	var list ptebuild.Value
	for rest := strings.TrimSpace(words); rest != ""; rest = strings.TrimSpace(rest) {
		var word string
		if end := map[byte]string{'{': "}", '(': ")"}[rest[0]]; end != "" {
			var items []ptebuild.Value
			word, rest, _ = strings.Cut(rest[1:], end)
			for _, w := range strings.Fields(word) {
				items = append(items, a.value(w))
			}
			if strings.HasPrefix(word, ">") {
				outs, list = items, m.Tensors(items...)
				args = append(args, list)
				continue
			}
			if end == "}" {
				args = append(args, m.Tensors(items...))
			} else {
				args = append(args, m.OptionalTensors(items...))
			}
			continue
		}
		word, rest, _ = strings.Cut(rest, " ")
		if strings.HasPrefix(word, ">") {
			out := a.value(word)
			outs = append(outs, out)
			args = append(args, out)
			continue
		}
		args = append(args, a.value(word))
	}
	switch {
	case list != (ptebuild.Value{}):
		args = append(args, list)
	case len(outs) == 1:
		args = append(args, outs[0])
	case len(outs) > 1:
		args = append(args, m.Tensors(outs...))
	default: // in place
		outs = args[:1]
		args = append(args, args[0])
	}
	m.Kernel(name, args...)
	m.Output(outs...)
	return a.moved
}

type assembly struct {
	t     testing.TB
	m     *ptebuild.Method
	moved int
}

func (a *assembly) value(word string) ptebuild.Value {
	if kind, shape, ok := strings.Cut(word, ":"); ok {
		d, known := dtypes[strings.TrimPrefix(kind, ">")]
		require.True(a.t, known, word)
		shape, order, ordered := strings.Cut(shape, "^")
		shape, spread, constant := strings.Cut(shape, "%")
		var sizes []int32
		n := 1
		for _, s := range strings.FieldsFunc(shape, func(r rune) bool { return r == ',' }) {
			x, err := strconv.Atoi(s)
			require.NoError(a.t, err, word)
			sizes = append(sizes, int32(x))
			n *= x
		}
		a.moved += n * d.Size()
		switch {
		case ordered:
			v := a.m.Tensor(d, sizes...).Order([]byte(strings.Map(func(r rune) rune { return r - '0' }, order))...)
			if !strings.HasPrefix(kind, ">") {
				a.m.Inputs(v.Unplanned())
			}
			return v
		case constant:
			most, err := strconv.Atoi(spread)
			require.NoError(a.t, err, word)
			list := make([]int64, n)
			for i := range list {
				list[i] = int64(i * 7919 % most)
			}
			return a.m.Constant(d, ptebuild.Bytes(list...), sizes...)
		case strings.HasPrefix(kind, ">"):
			return a.m.Tensor(d, sizes...)
		}
		return a.m.Input(d, sizes...).Unplanned() // a planned one is copied in every run
	}
	switch {
	case word == "none":
		return a.m.Null()
	case word == "-":
		return ptebuild.Absent
	case word == "true" || word == "false":
		return a.m.Bool(word == "true")
	case word[0] == '\'':
		return a.m.String(strings.Trim(word, "'"))
	case strings.HasPrefix(word, "[true") || strings.HasPrefix(word, "[false"):
		var list []bool
		for _, s := range strings.Split(strings.Trim(word, "[]"), ",") {
			list = append(list, s == "true")
		}
		return a.m.Bools(list)
	case word[0] == '[':
		var list []int64
		for _, s := range strings.FieldsFunc(strings.Trim(word, "[]"), func(r rune) bool { return r == ',' }) {
			x, err := strconv.ParseInt(s, 10, 64)
			require.NoError(a.t, err, word)
			list = append(list, x)
		}
		return a.m.Ints(list...)
	}
	if x, err := strconv.ParseInt(word, 10, 64); err == nil {
		return a.m.Int(x)
	}
	f, err := strconv.ParseFloat(word, 64)
	require.NoError(a.t, err, word)
	return a.m.Double(f)
}

package pte

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/internal/flatverify"
	"github.com/ptero-rt/ptero/pte/schema/bundle"
)

// Bundle is a decoded `.bpte` file: a program with inputs and expected outputs for its methods. It is immutable after
// ParseBundle; byte slices are windows into the input.
type Bundle struct {
	Version uint32
	Program []byte // a whole .pte file, for Parse
	Suites  []Suite
	Unknown []string // paths of fields that this reader does not know
}

// Suite holds the test cases of one method.
type Suite struct {
	Method string
	Cases  []Case
}

// Case is one call of a method. Expected may be empty.
type Case struct {
	Inputs   []CaseValue
	Expected []CaseValue
}

// CaseValue is an input or an expected output: KindTensor, KindInt, KindBool or KindDouble.
type CaseValue struct {
	Kind   Kind
	Int    int64
	Bool   bool
	Double float64
	Tensor CaseTensor
}

// CaseTensor is a tensor with its bytes: little-endian elements in the order that DimOrder states, outermost first.
type CaseTensor struct {
	DType    DType
	Sizes    []int32
	DimOrder []uint8
	Bytes    []byte
}

// Suite finds the test cases of a method.
func (b *Bundle) Suite(method string) (*Suite, bool) {
	i := slices.IndexFunc(b.Suites, func(s Suite) bool { return s.Method == method })
	if i < 0 {
		return nil, false
	}
	return &b.Suites[i], true
}

// ParseBundle decodes a `.bpte` file and checks its structure and its tensors; the program inside is left to Parse. Data
// and errors are as with Parse.
func ParseBundle(data []byte) (*Bundle, error) {
	if err := wantIdent(data, bundleIdent, invalid); err != nil {
		return nil, err
	}
	unknown, err := flatverify.Verify(data, bundleLayout, invalid)
	if err != nil {
		return nil, err
	}
	root := bundle.GetRootAsBundledProgram(data, 0)
	b := &Bundle{Version: root.Version(), Program: slices.Clip(root.ProgramBytes()), Unknown: unknown}
	d := bundleDecoder{}
	if b.Program == nil {
		d.add(invalid, "a program", "none", "program")
	}
	b.Suites = make([]Suite, root.MethodTestSuitesLength())
	methods := map[string]int{}
	var suite bundle.BundledMethodTestSuite
	for i := range b.Suites {
		root.MethodTestSuites(&suite, i)
		b.Suites[i].Method = string(suite.MethodName())
		if first, ok := methods[b.Suites[i].Method]; ok {
			d.add(invalid, "a method of its own", fmt.Sprintf("%q, as suite[%d]", b.Suites[i].Method, first), "suite[%d].method_name", i)
		}
		methods[b.Suites[i].Method] = i
		b.Suites[i].Cases = make([]Case, suite.TestCasesLength())
		var one bundle.BundledMethodTestCase
		for j := range b.Suites[i].Cases {
			suite.TestCases(&one, j)
			b.Suites[i].Cases[j] = Case{
				Inputs:   d.values(i, j, "inputs", one.InputsLength(), one.Inputs),
				Expected: d.values(i, j, "expected_outputs", one.ExpectedOutputsLength(), one.ExpectedOutputs),
			}
		}
	}
	if err := d.err(); err != nil {
		return nil, err
	}
	return b, nil
}

type bundleDecoder struct {
	problems
	ints  slab[int32]
	bytes slab[byte]
}

func (d *bundleDecoder) values(suite, at int, list string, n int, get func(*bundle.Value, int) bool) []CaseValue {
	out := make([]CaseValue, n)
	var v bundle.Value
	for i := range out {
		get(&v, i)
		if err := d.value(&v, &out[i]); err != nil {
			d.keep(fault.Under(fmt.Sprintf("suite[%d].test_cases[%d].%s[%d]", suite, at, list, i), err))
		}
	}
	return out
}

func (d *bundleDecoder) value(in *bundle.Value, out *CaseValue) error {
	var u flatTable
	if !in.Val(&u) {
		return fault.New(invalid, "", "a value", "none")
	}
	switch in.ValType() {
	case bundle.ValueUnionInt:
		var v bundle.Int
		v.Init(u.Bytes, u.Pos)
		out.Kind, out.Int = KindInt, v.IntVal()
	case bundle.ValueUnionBool:
		var v bundle.Bool
		v.Init(u.Bytes, u.Pos)
		out.Kind, out.Bool = KindBool, v.BoolVal()
	case bundle.ValueUnionDouble:
		var v bundle.Double
		v.Init(u.Bytes, u.Pos)
		out.Kind, out.Double = KindDouble, v.DoubleVal()
	case bundle.ValueUnionTensor:
		var v bundle.Tensor
		v.Init(u.Bytes, u.Pos)
		out.Kind = KindTensor
		sizes := d.ints.take(v.SizesLength())
		for i := range sizes {
			sizes[i] = v.Sizes(i)
		}
		order := d.bytes.take(v.DimOrderLength())
		copy(order, v.DimOrderBytes())
		out.Tensor = CaseTensor{DType: DType(v.ScalarType()), Sizes: sizes, DimOrder: order, Bytes: slices.Clip(v.DataBytes())}
		n, err := checkLayout(out.Tensor.DType, sizes, order, invalid)
		if err == nil && n != uint64(len(out.Tensor.Bytes)) {
			err = fault.New(invalid, "data", fault.Bytes(n), fault.Bytes(uint64(len(out.Tensor.Bytes))))
		}
		return fault.Under("tensor", err)
	default:
		return fault.New(fault.NotSupported, "", "a value of kind 1 … 4", fmt.Sprint(byte(in.ValType())))
	}
	return nil
}

// checkLayout checks a dtype, sizes and dim order that describe stored bytes, and gives how many there must be.
func checkLayout(d DType, sizes []int32, order []uint8, code fault.Code) (uint64, error) {
	t := Tensor{DType: d, Sizes: sizes, DimOrder: order}
	var list []error
	if !d.Valid() {
		list = append(list, fault.New(code, "scalar_type", fmt.Sprintf("a scalar type in [0, %d]", UInt64), fmt.Sprint(int8(d))))
	}
	if len(sizes) > maxRank {
		list = append(list, fault.New(code, "sizes", fmt.Sprintf("at most %d dimensions", maxRank), fmt.Sprint(len(sizes))))
	} else if !permutation(order, len(sizes)) {
		list = append(list, fault.New(code, "dim_order", fmt.Sprintf("a permutation of %d dimensions", len(sizes)), fmt.Sprint(order)))
	}
	n, ok := t.NBytes()
	if !ok && len(list) == 0 {
		list = append(list, fault.New(code, "sizes", "sizes of 0 or more and bytes that fit this machine", fmt.Sprint(sizes)))
	}
	return n, errors.Join(list...)
}

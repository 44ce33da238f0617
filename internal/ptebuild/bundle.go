package ptebuild

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/ptero-rt/ptero/pte"
	"github.com/ptero-rt/ptero/pte/schema/bundle"
)

// Bundle makes a `.bpte` file of a program's file and test cases.
func Bundle(program []byte, suites ...pte.Suite) []byte {
	b := flatbuffers.NewBuilder(len(program) + 1024)
	var refs []flatbuffers.UOffsetT
	for _, s := range suites {
		var cases []flatbuffers.UOffsetT
		for _, c := range s.Cases {
			in, out := caseValues(b, c.Inputs), caseValues(b, c.Expected)
			bundle.BundledMethodTestCaseStart(b)
			bundle.BundledMethodTestCaseAddInputs(b, in)
			bundle.BundledMethodTestCaseAddExpectedOutputs(b, out)
			cases = append(cases, bundle.BundledMethodTestCaseEnd(b))
		}
		name, list := b.CreateString(s.Method), b.CreateVectorOfTables(cases)
		bundle.BundledMethodTestSuiteStart(b)
		bundle.BundledMethodTestSuiteAddMethodName(b, name)
		bundle.BundledMethodTestSuiteAddTestCases(b, list)
		refs = append(refs, bundle.BundledMethodTestSuiteEnd(b))
	}
	list := b.CreateVectorOfTables(refs)
	data := alignedBytes(b, program, 32)
	bundle.BundledProgramStart(b)
	bundle.BundledProgramAddVersion(b, 2)
	bundle.BundledProgramAddMethodTestSuites(b, list)
	bundle.BundledProgramAddProgram(b, data)
	b.FinishWithFileIdentifier(bundle.BundledProgramEnd(b), []byte("BP08"))
	return b.FinishedBytes()
}

func caseValues(b *flatbuffers.Builder, list []pte.CaseValue) flatbuffers.UOffsetT {
	var refs []flatbuffers.UOffsetT
	for _, v := range list {
		var kind bundle.ValueUnion
		var val flatbuffers.UOffsetT
		switch v.Kind {
		case pte.KindTensor:
			t := v.Tensor
			sizes := int32s(b, t.Sizes)
			data, order := alignedBytes(b, t.Bytes, 16), b.CreateByteVector(t.DimOrder)
			kind = bundle.ValueUnionTensor
			bundle.TensorStart(b)
			bundle.TensorAddScalarType(b, int8(t.DType))
			bundle.TensorAddSizes(b, sizes)
			bundle.TensorAddData(b, data)
			bundle.TensorAddDimOrder(b, order)
			val = bundle.TensorEnd(b)
		case pte.KindInt:
			kind = bundle.ValueUnionInt
			bundle.IntStart(b)
			bundle.IntAddIntVal(b, v.Int)
			val = bundle.IntEnd(b)
		case pte.KindBool:
			kind = bundle.ValueUnionBool
			bundle.BoolStart(b)
			bundle.BoolAddBoolVal(b, v.Bool)
			val = bundle.BoolEnd(b)
		case pte.KindDouble:
			kind = bundle.ValueUnionDouble
			bundle.DoubleStart(b)
			bundle.DoubleAddDoubleVal(b, v.Double)
			val = bundle.DoubleEnd(b)
		}
		bundle.ValueStart(b)
		bundle.ValueAddValType(b, kind)
		bundle.ValueAddVal(b, val)
		refs = append(refs, bundle.ValueEnd(b))
	}
	return b.CreateVectorOfTables(refs)
}

func int32s(b *flatbuffers.Builder, list []int32) flatbuffers.UOffsetT {
	b.StartVector(4, len(list), 4)
	for i := len(list) - 1; i >= 0; i-- {
		b.PrependInt32(list[i])
	}
	return b.EndVector(len(list))
}

func alignedBytes(b *flatbuffers.Builder, data []byte, align int) flatbuffers.UOffsetT {
	b.StartVector(1, len(data), align)
	b.Pad(len(data))
	copy(b.Bytes[b.Head():], data)
	return b.EndVector(len(data))
}

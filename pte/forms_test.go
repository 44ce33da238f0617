package pte_test

import (
	"encoding/binary"
	"math"
	"os"
	"testing"
	"time"

	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/internal/ptebuild"
	"github.com/ptero-rt/ptero/pte"
	"github.com/stretchr/testify/require"
)

func externalWeights() []byte {
	return ptebuild.TensorData(
		pte.Entry{Key: "w1", Layout: &pte.Layout{DType: pte.Float, Sizes: []int32{4}, DimOrder: []uint8{0}}, Bytes: ptebuild.Bytes[float32](1, 2, 3, 4)},
		pte.Entry{Key: "w", Bytes: []byte("0123456789abcdef")},
	)
}

func bundled(t testing.TB) []byte {
	b, _ := add()
	x := pte.CaseValue{Kind: pte.KindTensor, Tensor: pte.CaseTensor{DType: pte.Float, Sizes: []int32{4}, DimOrder: []uint8{0}, Bytes: ptebuild.Bytes[float32](1, 2, 3, 4)}}
	return ptebuild.Bundle(b.Encode(t), pte.Suite{Method: "forward", Cases: []pte.Case{{
		Inputs: []pte.CaseValue{x, {Kind: pte.KindInt, Int: 2}, {Kind: pte.KindBool, Bool: true}, {Kind: pte.KindDouble, Double: 0.5}}, Expected: []pte.CaseValue{x}}}})
}

func TestForgedTensorData(t *testing.T) {
	good := externalWeights()
	_, err := pte.ParseTensorData(good)
	require.NoError(t, err)
	put64 := binary.LittleEndian.PutUint64
	for _, c := range []struct {
		name string
		do   func(f []byte) []byte
		path string
	}{
		{"base wraps", func(f []byte) []byte { put64(f[32:], math.MaxUint64-7); return f }, "header.segment_base_offset"},
		{"base and size wrap", func(f []byte) []byte { put64(f[32:], math.MaxUint64-7); put64(f[40:], 16); return f }, "header.segment_base_offset"},
		{"size beyond the file", func(f []byte) []byte { put64(f[40:], math.MaxUint64); return f }, "header.segment_data_size"},
		{"segments shorter than their entries", func(f []byte) []byte { put64(f[40:], 8); return f }, "segments[0]"},
		{"flatbuffer offset wraps", func(f []byte) []byte { put64(f[16:], math.MaxUint64-3); return f }, "header.flatbuffer"},
		{"header length 39", func(f []byte) []byte { f[12] = 39; return f }, "header.length"},
		{"header magic", func(f []byte) []byte { f[8] = 'X'; return f }, "header"},
		{"root out of the file", func(f []byte) []byte { binary.LittleEndian.PutUint32(f, 0xFFFFFF00); return f }, ""},
		{"7 bytes", func(f []byte) []byte { return f[:7] }, ""},
		{"47 bytes", func(f []byte) []byte { return f[:47] }, "header"},
		{"cut in the last segment", func(f []byte) []byte { return f[:len(f)-1] }, "header.segment_data_size"},
		{"identifier FT02", func(f []byte) []byte { f[7] = '2'; return f }, "identifier"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := pte.ParseTensorData(c.do(append([]byte{}, good...)))
			require.Error(t, err)
			require.Equal(t, c.path, fault.All(err)[0].(*fault.Error).Path, err)
			require.Equal(t, fault.InvalidExternalData, fault.CodeOf(err))
		})
	}
	layout := func(d pte.DType, sizes []int32, order ...uint8) *pte.Layout {
		return &pte.Layout{DType: d, Sizes: sizes, DimOrder: order}
	}
	for name, entries := range map[string][]pte.Entry{
		"one key twice":                   {{Key: "a"}, {Key: "a"}},
		"a weight shorter than its shape": {{Key: "a", Layout: layout(pte.Float, []int32{9}, 0), Bytes: make([]byte, 4)}},
		"a dim order of one dimension":    {{Key: "a", Layout: layout(pte.Float, []int32{1, 1}, 0, 0), Bytes: make([]byte, 4)}},
		"an overflow":                     {{Key: "a", Layout: layout(pte.Float, []int32{math.MaxInt32, math.MaxInt32, math.MaxInt32}, 0, 1, 2)}},
		"a negative size":                 {{Key: "a", Layout: layout(pte.Float, []int32{-4}, 0)}},
		"dtype 99":                        {{Key: "a", Layout: layout(99, []int32{1}, 0), Bytes: make([]byte, 4)}},
	} {
		_, err := pte.ParseTensorData(ptebuild.TensorData(entries...))
		require.Error(t, err, name)
		require.Equal(t, fault.InvalidExternalData, fault.CodeOf(err), name)
	}
}

// A weight is found under exactly its key, not under one that starts alike.
func TestFindIsExact(t *testing.T) {
	d, err := pte.ParseTensorData(externalWeights())
	require.NoError(t, err)
	for key, want := range map[string]string{"w": "0123456789abcdef", "w1": "\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x40\x40\x00\x00\x80\x40"} {
		e, ok := d.Find(key)
		require.True(t, ok)
		require.Equal(t, want, string(e.Bytes))
	}
	for _, key := range []string{"", "w12", "W", "w\x00"} {
		_, ok := d.Find(key)
		require.False(t, ok, key)
	}
}

func TestWrongBundles(t *testing.T) {
	one := func(c pte.CaseTensor) []pte.Suite {
		return []pte.Suite{{Method: "forward", Cases: []pte.Case{{Inputs: []pte.CaseValue{{Kind: pte.KindTensor, Tensor: c}}}}}}
	}
	const tensor = "suite[0].test_cases[0].inputs[0].tensor."
	for path, suites := range map[string][]pte.Suite{
		tensor + "data":                    one(pte.CaseTensor{DType: pte.Float, Sizes: []int32{4}, DimOrder: []uint8{0}, Bytes: make([]byte, 15)}),
		tensor + "scalar_type":             one(pte.CaseTensor{DType: 99, Sizes: []int32{4}, DimOrder: []uint8{0}, Bytes: make([]byte, 16)}),
		tensor + "dim_order":               one(pte.CaseTensor{DType: pte.Float, Sizes: []int32{4}, Bytes: make([]byte, 16)}),
		tensor + "sizes":                   one(pte.CaseTensor{DType: pte.Float, Sizes: make([]int32, 17), DimOrder: make([]uint8, 17)}),
		"suite[1].method_name":             {{Method: "a"}, {Method: "a"}},
		"suite[0].test_cases[0].inputs[0]": {{Method: "a", Cases: []pte.Case{{Inputs: []pte.CaseValue{{Kind: pte.KindNull}}}}}},
	} {
		_, err := pte.ParseBundle(ptebuild.Bundle([]byte("program"), suites...))
		require.Error(t, err, path)
		require.Equal(t, path, fault.All(err)[0].(*fault.Error).Path, err)
	}
	_, err := pte.ParseBundle(externalWeights())
	require.ErrorIs(t, err, pte.ErrFormat)
}

func TestSniff(t *testing.T) {
	b, _ := add()
	require.Equal(t, pte.ProgramFile, pte.Sniff(b.Encode(t)))
	require.Equal(t, pte.TensorDataFile, pte.Sniff(externalWeights()))
	require.Equal(t, pte.BundleFile, pte.Sniff(bundled(t)))
	require.Equal(t, pte.UnknownFile, pte.Sniff([]byte("12345678")))
	require.Equal(t, pte.UnknownFile, pte.Sniff(nil))
}

func TestOpen(t *testing.T) {
	f, err := pte.Open(fixtures.Path("models", "kws_cortex_m.pte"))
	require.NoError(t, err)
	p, err := f.Program()
	require.NoError(t, err)
	require.Equal(t, "forward", p.Plans[0].Name)
	require.NoError(t, f.Close())
	require.NoError(t, f.Close(), "closing twice is harmless")

	_, err = pte.Open(fixtures.Path("models", "not there.pte"))
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = pte.Open(t.TempDir())
	require.Error(t, err)
	empty := t.TempDir() + "/empty.pte"
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	f, err = pte.Open(empty)
	require.NoError(t, err)
	_, err = f.Program()
	require.ErrorIs(t, err, pte.ErrFormat)
	require.NoError(t, f.Close())
}

// The old layout keeps constants in the flatbuffer; a rewrite moves them to a segment.
func TestConstantsInTheFlatbuffer(t *testing.T) {
	p, err := pte.Parse(fixtures.Read(t, "models", "ModuleLinear-no-constant-segment.pte"))
	require.NoError(t, err)
	require.Empty(t, p.Segments)
	require.Len(t, p.Constants, 3)
	out, err := pte.Rewrite(p)
	require.NoError(t, err)
	again, err := pte.Parse(out)
	require.NoError(t, err)
	require.Equal(t, p.Constants, again.Constants)
	require.Len(t, again.Segments, 1)
}

// small are files of every kind, small enough to be broken at each place.
func small(t testing.TB) [][]byte {
	list := [][]byte{externalWeights(), bundled(t)}
	for _, from := range []func() (*ptebuild.Program, *ptebuild.Method){add, flow, delegated} {
		b, _ := from()
		list = append(list, b.Encode(t))
	}
	list = append(list, fixtures.Read(t, "models", "ModuleLinear-no-constant-segment.pte"))
	for _, name := range []string{"control_flow/cond.bpte", "multi_method/shared_mutable_buffer.bpte", "program_format/delegate_inline.bpte", "program_format/raw_pte.pte", "program_format/stacktrace.bpte", "dynamic/mlp_batch.bpte"} {
		list = append(list, fixtures.Read(t, "cpu", "models", name))
	}
	return list
}

// Each byte of small files set to 0x00, to 0xFF and flipped: an answer, and soon.
func TestEveryByte(t *testing.T) {
	for _, good := range small(t) {
		file := append([]byte{}, good...)
		for at := range file {
			for _, v := range []byte{0x00, 0xFF, ^good[at]} {
				file[at] = v
				soon(t, func() { readAll(file) }, "byte %d", at)
			}
			file[at] = good[at]
		}
	}
}

// soon demands that f takes less than a second, and lets it try again, since a busy machine may stop anybody for that long.
func soon(t *testing.T, f func(), format string, args ...any) {
	for range 3 {
		start := time.Now()
		f()
		if time.Since(start) < time.Second {
			return
		}
	}
	require.Fail(t, "over a second", append([]any{format}, args...)...)
}

// Each aligned word set to the lengths, indices and offsets that break readers.
func TestEveryWord(t *testing.T) {
	for _, good := range append(small(t)[:6], small(t)[2][:64]) {
		file := append([]byte{}, good...)
		for at := 0; at+4 <= len(file); at += 4 {
			old := binary.LittleEndian.Uint32(good[at:])
			for _, v := range []uint32{0, 1, 4, math.MaxUint32, math.MaxInt32, 1 << 31, math.MaxUint32 - 3, old + 1, old - 1, old + 4, old - 4, old << 16, uint32(len(file) - at - 4)} {
				binary.LittleEndian.PutUint32(file[at:], v)
				readAll(file)
			}
			copy(file[at:], good[at:at+4])
		}
	}
}

// readAll does everything with a file that needs nothing else, whatever its kind.
func readAll(file []byte) {
	switch pte.Sniff(file) {
	case pte.TensorDataFile:
		_, _ = pte.ParseTensorData(file)
	case pte.BundleFile:
		if b, err := pte.ParseBundle(file); err == nil {
			_, _ = pte.Parse(b.Program)
		}
	default:
		p, err := pte.Parse(file)
		if err != nil {
			return
		}
		if _, err := pte.Rewrite(p); err != nil && len(p.Unknown) == 0 {
			panic("a program that was read cannot be written: " + err.Error())
		}
	}
}

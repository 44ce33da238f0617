package sim_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/nxp"
)

// The same calls are written here in other containers than the published ones: results must not change.

// writer makes a microcode from calls.
type writer struct {
	stream []byte
	calls  uint32
}

func (w *writer) u16(list ...int) {
	for _, v := range list {
		w.stream = binary.LittleEndian.AppendUint16(w.stream, uint16(v))
	}
}

func (w *writer) words(list []uint32) {
	for _, v := range list {
		w.stream = binary.LittleEndian.AppendUint32(w.stream, v)
	}
}

func (w *writer) spaces(list []nxp.Space, none byte, align int) {
	for _, s := range list {
		if s == nxp.SpaceNone {
			s = nxp.Space(none)
		}
		w.stream = append(w.stream, byte(s))
	}
	for len(w.stream)%align != 0 {
		w.stream = append(w.stream, 0)
	}
}

// microcode adds header and I/O sizes.
func (w *writer) microcode(version, weights, scratch, in, out int) []byte {
	h := make([]uint32, 16+4*version)
	h[0], h[1], h[2], h[4], h[7], h[9] = nxp.Magic, 0x5EED, uint32(len(w.stream)), uint32(len(w.stream)), uint32(weights), uint32(scratch)
	if version == 0 {
		h[11], h[12], h[13] = 1, 1, w.calls
	} else {
		h[13], h[14], h[15] = 1, 1, w.calls
	}
	b, _ := binary.Append(nil, binary.LittleEndian, h)
	b = append(b, w.stream...)
	for len(b)%16 != 0 {
		b = append(b, 0)
	}
	b, _ = binary.Append(b, binary.LittleEndian, []uint32{uint32(in), uint32(out)})
	binary.LittleEndian.PutUint32(b[6*4:], uint32(len(b)))
	return b
}

// sized turns the words of a call of payload version 0 into those of version 1.
func sized(k *nxp.Kernel) []uint32 {
	w := append([]uint32{}, k.Words...)
	cut := func(at int) { w = append(w[:at], w[at+1:]...) }
	switch k.Kind {
	case nxp.MaxPool:
		cut(7) // batch of the input
		cut(2)
	case nxp.Pad, nxp.Slice:
		w = append(w[:4], append([]uint32{1}, w[4:]...)...) // height and width; here one column
	case nxp.GlobalAverage:
		w[5] *= w[6]
		cut(6)
	case nxp.FullyConnected:
		w = append(w, 0)
	default:
		cut(10)
		cut(5)
	}
	return w
}

func (w *writer) sizedCall(op int, spaces []nxp.Space, words []uint32) {
	w.u16(2, len(spaces), 0, len(spaces))
	w.spaces(spaces, 11, 4)
	w.u16(6, op, 0, 4*len(words))
	w.words(words)
	w.calls++
}

func (w *writer) taggedCall(op int, spaces []nxp.Space, words []uint32) {
	w.u16(3, len(spaces), 0, 0)
	w.spaces(spaces, 9, 2)
	w.u16(2, op, 0, 0)
	w.words(words)
	w.u16(5, op, 0, 0)
	w.calls++
}

func run(t *testing.T, microcode, weights, in []byte, out, scratch int) []byte {
	p := &nxp.Payload{Weights: weights}
	p.Microcode.Bytes = microcode
	m := prepare(t, p)
	j := &nxp.Job{Inputs: []nxp.Region{{Bytes: in}}, Outputs: []nxp.Region{{Bytes: make([]byte, out)}}, Scratch: nxp.Region{Bytes: make([]byte, scratch)}}
	require.NoError(t, m.Run(context.Background(), j))
	return j.Outputs[0].Bytes
}

func TestOtherContainers(t *testing.T) {
	for _, e := range manifest(t) {
		p := payload(t, e.Pte[0].File)
		if p.Version != 0 {
			continue
		}
		kernels, err := p.Microcode.Decode(p.Weights)
		require.NoError(t, err)
		var tags, calls writer
		for i := range kernels {
			k := &kernels[i]
			tags.taggedCall(1+i%3, k.Spaces, k.Words)
			calls.sizedCall(0x77, k.Spaces, sized(k))
		}
		tags.u16(1, 0, 0, 0)
		calls.u16(1, 0, 0, 0)
		in, want := array(t, e.Name+".in.npy"), array(t, e.Name+".out.npy")
		n, size := len(in.Data)/in.Shape[0], len(want.Data)/want.Shape[0]
		row := in.Shape[0] - 1
		input := channelsLast(in.Data[row*n:][:n], e.Input)
		scratch := int(p.Microcode.ScratchBytes)
		require.Equal(t, want.Data[row*size:], run(t, tags.microcode(0, len(p.Weights), scratch, n, size), p.Weights, input, size, scratch), "%s with 16-bit tags", e.Name)
		require.Equal(t, want.Data[row*size:], run(t, calls.microcode(1, len(p.Weights), scratch, n, size), p.Weights, input, size, scratch), "%s with sized calls", e.Name)
	}
}

// softmaxTable is the table of converters of revision 447b3538 for an input scale.
func softmaxTable(scale float64) []byte {
	b := append(bytes.Repeat([]byte{0xFF}, 4), 0, 0, 0, 0)
	for i := range 64 {
		b = append(b, map[bool]byte{true: 1}[i/8 == i%8])
	}
	f := func(d int) int { return int(math.Floor(65535*math.Exp(-scale*float64(d)) + 0.5)) }
	for k := range 128 {
		b = binary.LittleEndian.AppendUint16(b, uint16(2*(f(2*k+1)-f(2*k))))
		b = binary.LittleEndian.AppendUint16(b, uint16(f(2*k)))
	}
	return b
}

// TestSoftmax compares with the softmax in floating point: the last bit may differ, and seldom does.
func TestSoftmax(t *testing.T) {
	const n, pad = 12, 16
	for _, scale := range []float64{0.03, 0.1, 0.25} {
		weights := softmaxTable(scale)
		var w writer
		// A pad to a multiple of 16 with -128, the softmax, a slice, as in a published network.
		w.sizedCall(0x53, []nxp.Space{nxp.SpaceScratch, nxp.SpaceInput, nxp.SpaceWeights}, []uint32{0, 0, 0, 1, 1, n, pad, 0x80, 0x40090020, 0})
		w.sizedCall(0x57, []nxp.Space{nxp.SpaceScratch, nxp.SpaceScratch, nxp.SpaceWeights, nxp.SpaceScratch},
			[]uint32{pad, 0, 0, 2 * pad, 1, 1, n, 1, 1, 1, 0xFFFFFF80, 0, 8<<16 | 1, 1, 1})
		w.sizedCall(0x52, []nxp.Space{nxp.SpaceOutput, nxp.SpaceScratch, nxp.SpaceWeights}, []uint32{0, pad, 0, 1, 1, pad, n, 0, 0x10080})
		w.u16(1, 0, 0, 0)
		binary.LittleEndian.PutUint32(w.stream[12+8+4*7:], 0xFFFFFF80) // the fill is -128
		microcode := w.microcode(1, len(weights), 3*pad, n, n)
		equal, all := 0, 0
		for seed := range 500 {
			in := make([]byte, n)
			for i := range in {
				in[i] = byte((seed*131 + i*i*37 + seed*seed*i) % 251)
			}
			top, sum := -128.0, 0.0
			for _, b := range in {
				top = math.Max(top, float64(int8(b)))
			}
			for _, b := range in {
				sum += math.Exp(scale * (float64(int8(b)) - top))
			}
			for i, got := range run(t, microcode, weights, in, n, 3*pad) {
				want := min(127, math.Floor(256*math.Exp(scale*(float64(int8(in[i]))-top))/sum+0.5)-128)
				require.InDelta(t, want, int8(got), 1)
				all++
				if int8(got) == int8(want) {
					equal++
				}
			}
		}
		require.Greater(t, float64(equal)/float64(all), 0.995)
	}
}

// TestUnseenRevisionRuns: a revision in no table runs when all records classify; opcodes decide nothing.
func TestUnseenRevisionRuns(t *testing.T) {
	p := payload(t, "ds_cnn_n3.pte")
	b := append([]byte{}, p.Microcode.Bytes...)
	binary.LittleEndian.PutUint32(b[4:], 0xABCDEF01)
	want := array(t, "ds_cnn_n3.out.npy")
	in := array(t, "ds_cnn_n3.in.npy")
	require.Equal(t, want.Data[:12], run(t, b, p.Weights, in.Data[:490], 12, int(p.Microcode.ScratchBytes)))
}

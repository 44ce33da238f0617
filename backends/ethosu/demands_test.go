package ethosu_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/stream"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/fixtures/ethosu/corpus"
	"github.com/ptero-rt/ptero/hal"
	halsim "github.com/ptero-rt/ptero/hal/sim"
	"github.com/ptero-rt/ptero/pte"
)

// The names of these tests are those under which users and projects reported the cases.

// program is a method with one delegate call on planned tensors of mem_id 1.
func program(blob []byte, specs map[string]string, types ...executor.DType) *pte.Program {
	plan := pte.Plan{Name: "forward", BufferBytes: []uint64{0, 0}, Delegates: []pte.Delegate{{ID: ethosu.BackendID, Blob: blob}}}
	for k, v := range specs {
		plan.Delegates[0].Specs = append(plan.Delegates[0].Specs, pte.CompileSpec{Key: k, Value: []byte(v)})
	}
	b, err := ethosu.Parse(blob, nil)
	if err != nil {
		panic(err)
	}
	var args []int32
	for i, t := range append(append([]ethosu.Tensor{}, b.Inputs...), b.Outputs...) {
		dtype := pte.Char
		if i < len(types) {
			dtype = types[i]
		}
		plan.Values = append(plan.Values, pte.Value{Kind: pte.KindTensor, Tensor: &pte.Tensor{DType: dtype, Sizes: []int32{int32(t.Elements())}, DimOrder: []uint8{0},
			Alloc: &pte.Alloc{MemID: 1, Offset: plan.BufferBytes[1]}}})
		plan.BufferBytes[1] += (uint64(t.Elements()*dtype.Size()) + 15) &^ 15
		args = append(args, int32(i))
		if i < len(b.Inputs) {
			plan.Inputs = append(plan.Inputs, int32(i))
		} else {
			plan.Outputs = append(plan.Outputs, int32(i))
		}
	}
	plan.Chains = []pte.Chain{{Instructions: []pte.Instruction{{Op: pte.CallDelegate, Args: args}}}}
	return &pte.Program{Plans: []pte.Plan{plan}}
}

var sharedSRAM = map[string]string{"compile_flags": "--accelerator-config=ethos-u55-128 --memory-mode=Shared_Sram"}

// vec is a blob of one int8 input and output of n elements.
func vec(n int32, scratch uint32) made {
	return made{in: []tensor{{[]int32{n}, 1, 0}}, out: []tensor{{[]int32{n}, 1, (n + 15) &^ 15}}, scratch: scratch}
}

func TestF05ScratchLargerThanSRAM(t *testing.T) {
	spec := profile(t, "corstone-300")
	p := program(vec(16, 2_800_000).encode(), sharedSRAM)
	_, err := load(t, p, ptero.On(on(t, spec, halsim.Options{})))
	require.Error(t, err)
	require.Contains(t, err.Error(), "2800000", "what it needs")
	require.Contains(t, err.Error(), "SRAM")
	_, err = load(t, program(vec(16, 2_000_000).encode(), sharedSRAM), ptero.On(on(t, spec, halsim.Options{})))
	require.NoError(t, err)
}

func TestF06BothPoolsReported(t *testing.T) {
	spec := profile(t, "corstone-300")
	p := program(vec(16, 8_197_520).encode(), nil)
	p.Plans[0].BufferBytes[1] = 6_144_000
	for i := range spec.Pools {
		if spec.Pools[i].Name == "SRAM" || spec.Pools[i].Name == "DDR" {
			spec.Pools[i].Size = 64 << 10
		}
	}
	_, err := load(t, p, ptero.On(on(t, spec, halsim.Options{})))
	require.Error(t, err)
	require.Contains(t, err.Error(), "SRAM")
	require.Contains(t, err.Error(), "DDR")
}

// Weights run where the file has them, if the NPU reaches that memory.
func TestF07WeightsInPlace(t *testing.T) {
	m := vec(16, 64)
	m.weights = make([]byte, 3_500_000)
	p := program(m.encode(), sharedSRAM)
	spec := profile(t, "corstone-300")
	npu := &stub{}
	f, err := load(t, p, ptero.On(on(t, spec, halsim.Options{})), ptero.Backends(ethosu.NewBackend(npu, ethosu.Options{})))
	require.NoError(t, err)
	require.NoError(t, f.SetInputTensor(0, executor.NewTensor(pte.Char, []int{16}, make([]byte, 16))))
	require.NoError(t, f.Run(context.Background()))
	file := p.Plans[0].Delegates[0].Blob
	weights := npu.networks[0].Weights.Bytes
	at := bytes.Index(file, []byte("weight_data")) + 32
	require.Len(t, weights, 3_500_000)
	require.Same(t, &file[at], &weights[0], "no copy")

	spec.Placement.Constants = pool(t, &spec, "ITCM")
	_, err = load(t, p, ptero.On(on(t, spec, halsim.Options{})))
	require.Contains(t, rulesOf(err), "weights_visible")
}

func TestF08Alignment(t *testing.T) {
	m := vec(16, 64)
	good := m.encode()
	shifted := make([]byte, len(good)+16)
	copy(shifted[8:], good)
	_, err := newCall(&stub{}, ethosu.Options{}, executor.Blob{Bytes: shifted[8 : 8+len(good)]}, make8(16), make8(16))
	require.Contains(t, rulesOf(err), "blob_align")
	require.ErrorContains(t, err, "want commands at a multiple of 16, found 36 B at an address that is 8 past one")

	planned := withScratch(t, program(good, nil), 64, 3)
	planned.Plans[0].Values[2].Tensor.Alloc.Offset = 8
	planned.Plans[0].BufferBytes[3] = 128
	_, err = load(t, planned)
	require.Contains(t, rulesOf(err), "scratch_align")
}

func make8(n int) *executor.Tensor { return executor.NewTensor(pte.Char, []int{n}, make([]byte, n)) }

func TestF09UnchangedOutput(t *testing.T) {
	var heard []string
	o := ethosu.Options{Unchanged: func(method string, output int) { heard = append(heard, fmt.Sprint(method, " ", output)) }}
	npu := &stub{}
	m := vec(16, 64)
	m.out = append(m.out, tensor{[]int32{16}, 1, 32})
	c, err := newCall(npu, o, executor.Blob{Bytes: m.encode()}, make8(16), make8(16), make8(16))
	require.NoError(t, err)
	n := byte(0)
	npu.run = func(job *ethosu.Job) error { // writes the first output alone
		n++
		job.Regions[ethosu.RegionScratch].Bytes[16] = n
		return nil
	}
	require.NoError(t, c.run())
	require.NoError(t, c.run())
	require.Equal(t, []string{"forward 1", "forward 1"}, heard)
}

func TestF10Layouts(t *testing.T) {
	run := func(out tensor, dtype executor.DType, sizes []int, npu []byte) ([]byte, error) {
		m := made{in: []tensor{{[]int32{16}, 1, 0}}, out: []tensor{out}, scratch: 256}
		result := executor.NewTensor(dtype, sizes, nil)
		c, err := newCall(&stub{run: func(job *ethosu.Job) error {
			copy(job.Regions[ethosu.RegionScratch].Bytes[out.offset:], npu)
			return nil
		}}, ethosu.Options{}, executor.Blob{Bytes: m.encode()}, make8(16), result)
		if err != nil {
			return nil, err
		}
		return result.Data, c.run()
	}
	rows := make([]byte, 32)
	copy(rows, []byte{1, 2, 3})
	copy(rows[16:], []byte{4, 5, 6})
	got, err := run(tensor{[]int32{1, 2, 16}, 1, 16}, pte.Char, []int{1, 2, 3}, rows)
	require.NoError(t, err)
	require.Equal(t, []byte{1, 2, 3, 4, 5, 6}, got, "padding stripped")

	got, err = run(tensor{[]int32{4}, 1, 16}, pte.Char, []int{8}, []byte{0x21, 0xf3, 0x08, 0x7e})
	require.NoError(t, err)
	require.Equal(t, []byte{1, 2, 3, 0xff, 0xf8, 0, 0xfe, 7}, got, "4-bit values expanded, low half first, with their sign")

	got, err = run(tensor{[]int32{1, 2, 8}, 2, 16}, pte.Short, []int{2, 3}, append([]byte{1, 0, 2, 0, 3, 0, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9}, 4, 0, 5, 0, 6, 0))
	require.NoError(t, err)
	require.Equal(t, []int16{1, 2, 3, 4, 5, 6}, executor.Slice[int16](executor.NewTensor(pte.Short, []int{6}, got)))

	_, err = run(tensor{[]int32{3}, 1, 16}, pte.Char, []int{5}, nil)
	require.Contains(t, rulesOf(err), "io_size")
	_, err = run(tensor{[]int32{1, 2, 16}, 1, 16}, pte.Char, []int{7}, nil)
	require.Contains(t, rulesOf(err), "io_size")
}

func TestF11ElementTypes(t *testing.T) {
	types := []executor.DType{pte.Byte, pte.Char, pte.Bool, pte.Short, pte.Int, pte.Long, pte.Float, pte.Half, pte.Double}
	for _, elem := range []int32{1, 2, 4, 8} {
		for _, d := range types {
			m := made{in: []tensor{{[]int32{16}, elem, 0}}, out: []tensor{{[]int32{16}, 1, 128}}, scratch: 256}
			_, err := newCall(&stub{}, ethosu.Options{}, executor.Blob{Bytes: m.encode()}, executor.NewTensor(d, []int{16}, nil), make8(16))
			integer := d == pte.Byte || d == pte.Char || d == pte.Bool || d == pte.Short || d == pte.Int
			if integer && d.Size() == int(elem) {
				require.NoError(t, err, "%v for %d B", d, elem)
				continue
			}
			require.Contains(t, rulesOf(err), "io_dtype", "%v for %d B", d, elem)
			require.Equal(t, uint32(0x23), uint32(executor.CodeOf(err)))
		}
	}
}

func TestF32ExternalBlocks(t *testing.T) {
	m := vec(16, 64)
	m.key = strings.Repeat("a1b2", 16)
	weights := make([]byte, 64)
	named := func(key string) ([]byte, bool) { return weights, key == m.key }
	npu := &stub{}
	c, err := newCall(npu, ethosu.Options{}, executor.Blob{Bytes: m.encode(), Named: named}, make8(16), make8(16))
	require.NoError(t, err)
	require.NoError(t, c.run())
	require.Same(t, &weights[0], &npu.networks[0].Weights.Bytes[0], "the data, not the key")

	for name, look := range map[string]func(string) ([]byte, bool){"no such key": func(string) ([]byte, bool) { return nil, false }, "no map": nil} {
		_, err = newCall(npu, ethosu.Options{}, executor.Blob{Bytes: m.encode(), Named: look}, make8(16), make8(16))
		require.ErrorContains(t, err, "named data", name)
		require.ErrorContains(t, err, m.key, name)
	}
	// Misaligned data counts where the stream reads it.
	m.stream = []stream.Command{{Code: stream.SetDMA0SrcRegion}, {Code: stream.SetDMA0DstRegion, Param: 1}, {Code: stream.SetDMA0Src}, {Code: stream.SetDMA0Dst},
		{Code: stream.SetDMA0Len, Payload: 16}, {Code: stream.OpDMAStart}}
	_, err = newCall(npu, ethosu.Options{}, executor.Blob{Bytes: m.encode(), Named: func(string) ([]byte, bool) { return weights[8:], true }}, make8(16), make8(16))
	require.Contains(t, rulesOf(err), "blob_align")
}

// A program without quantize calls at its edges takes and gives raw integers.
func TestF42IntegerEdges(t *testing.T) {
	c := corpus.Committed(t)
	p := named(t, c, "qio_conv8.u55-256.ss")
	f, err := load(t, parsed(t, c, p.Name))
	require.NoError(t, err)
	require.Equal(t, pte.Char, f.Input(0).Tensor().DType)
	require.Equal(t, pte.Char, f.Output(0).Tensor().DType)
	require.NoError(t, compare(t, f, c.IOBytes(t, p), c.IO[p.IO]))
}

// forgetful is a board whose cache maintenance does nothing.
type forgetful struct{ *halsim.Board }

func (forgetful) Sync(hal.Region, hal.Direction) error { return nil }

// Without cache maintenance the NPU sees old bytes: the simulated caches find the mistake.
func TestF43CacheMaintenance(t *testing.T) {
	c := corpus.Committed(t)
	p := named(t, c, kws)
	open := func() *halsim.Board {
		b, err := halsim.Open(profile(t, "corstone-300"), halsim.Options{})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, b.Close()) })
		return b
	}
	f, err := load(t, parsed(t, c, kws), ptero.On(open()))
	require.NoError(t, err)
	require.NoError(t, compare(t, f, c.IOBytes(t, p), c.IO[p.IO]))
	f, err = load(t, parsed(t, c, kws), ptero.On(forgetful{open()}))
	require.NoError(t, err)
	require.ErrorContains(t, compare(t, f, c.IOBytes(t, p), c.IO[p.IO]), "vector 0 output 0")
}

// Cycles are counted in 64 bits, and none are shown where the device counted none.
func TestF44Counters(t *testing.T) {
	npu := &stub{counters: ethosu.Counters{Cycles: 1 << 33}}
	c, err := newCall(npu, ethosu.Options{}, executor.Blob{Bytes: vec(16, 64).encode()}, make8(16), make8(16))
	require.NoError(t, err)
	require.NoError(t, c.run())
	detailed := c.delegate.(interface{ Details() []executor.Detail })
	require.Equal(t, []executor.Detail{{Name: "NPU", Cycles: 1 << 33}}, detailed.Details())
	npu.counters = ethosu.Counters{}
	require.NoError(t, c.run())
	require.Empty(t, detailed.Details())
}

// Delegates that run one after another share one scratch.
func TestF51OneScratch(t *testing.T) {
	c := corpus.Committed(t)
	p := parsed(t, c, "three_delegates.u55-64.ss")
	most := uint64(0)
	for _, d := range p.Plans[0].Delegates {
		blob, err := ethosu.Parse(d.Blob, nil)
		require.NoError(t, err)
		most = max(most, blob.ScratchBytes)
	}
	f, err := load(t, p, ptero.BoardNamed("corstone-300"))
	require.NoError(t, err)
	for _, a := range f.Layout.Report("").Arenas {
		if a.What == "temp" {
			require.Equal(t, most, a.Bytes)
		}
	}
}

func TestF52StatusInWords(t *testing.T) {
	for status, words := range map[ethosu.Status]string{
		0x0804:     "0x00000804: stopped, bus fault on interface 1, channel 0 (command stream)",
		0x0022:     "0x00000022: stopped, interrupt raised, end of the command stream reached",
		0x2004:     "0x00002004: stopped, bus fault on interface 0, channel 2 (weights)",
		0x0011:     "0x00000011: running, a command that it cannot parse",
		0x00030008: "0x00030008: stopped, in reset, interrupt history 0x0003",
	} {
		require.Equal(t, words, status.String())
	}
	require.True(t, ethosu.Status(0x22).Done())
	require.False(t, ethosu.Status(0x26).Done())
	require.True(t, ethosu.Status(0x804).Failed())
}

// S08: a job without memory for a region that the stream touches is refused, also after one that had it.
func TestS08RegionOfEachJob(t *testing.T) {
	c := corpus.Committed(t)
	p := named(t, c, "net_dscnn_kws.u65-512.ds384")
	blob, err := ethosu.Parse(c.Blobs(t, p)[0], nil)
	require.NoError(t, err)
	s := newSimulator(t)
	l, err := s.Load(ethosu.Network{Commands: blob.Commands, Weights: ethosu.Region{Bytes: blob.Weights}})
	require.NoError(t, err)
	var job ethosu.Job
	job.Regions[0].Bytes, job.Regions[1].Bytes, job.Regions[2].Bytes = blob.Weights, make([]byte, blob.ScratchBytes), make([]byte, 22240)
	require.NoError(t, l.Submit(&job))
	_, err = l.Wait(context.Background())
	require.NoError(t, err)
	job.Regions[2].Bytes = nil
	require.ErrorContains(t, l.Submit(&job), "region 2: want at least")
}

// A job that does not end in time is ErrDeviceBusy, its timeout the compile spec's; the next call resets the NPU first.
func TestTimeout(t *testing.T) {
	npu := &stub{}
	specs := []executor.CompileSpec{{Key: "ethosu.timeout_ns", Value: []byte("1500000000")}}
	c, err := newCall(npu, ethosu.Options{Timeout: time.Hour}, executor.Blob{Bytes: vec(16, 64).encode(), Specs: specs}, make8(16), make8(16))
	require.NoError(t, err)
	npu.run = func(*ethosu.Job) error { return fmt.Errorf("stub: %w", ethosu.ErrTimeout) }
	err = c.run()
	require.ErrorIs(t, err, executor.ErrDeviceBusy)
	require.ErrorIs(t, err, ethosu.ErrTimeout)
	require.Equal(t, 1500*time.Millisecond, npu.jobs[0].Timeout)

	npu.reset = errors.New("stuck")
	require.ErrorIs(t, c.run(), executor.ErrDeviceBusy, "the reset failed")
	require.Len(t, npu.jobs, 1, "nothing was started")
	npu.reset, npu.run = nil, nil
	require.NoError(t, c.run())
	require.Equal(t, 2, npu.resets)
	require.NoError(t, c.run())
	require.Equal(t, 2, npu.resets)

	npu.run = func(*ethosu.Job) error { return errors.New("a fault") }
	err = c.run()
	require.NotErrorIs(t, err, executor.ErrDeviceBusy)
	require.NoError(t, c.delegate.Close())

	for _, bad := range []string{"", "0", "-5", "soon", "99999999999999999999"} {
		_, err := newCall(npu, ethosu.Options{}, executor.Blob{Bytes: vec(16, 64).encode(), Specs: []executor.CompileSpec{{Key: "ethosu.timeout_ns", Value: []byte(bad)}}}, make8(16), make8(16))
		require.Contains(t, rulesOf(err), "timeout", bad)
	}
}

// A stream that writes its weights is refused: they lie in the file, which is mapped read-only.
func TestWeightsAreReadOnly(t *testing.T) {
	m := vec(16, 64)
	m.weights = make([]byte, 64)
	m.stream = []stream.Command{{Code: stream.SetDMA0SrcRegion, Param: 1}, {Code: stream.SetDMA0DstRegion}, {Code: stream.SetDMA0Src}, {Code: stream.SetDMA0Dst},
		{Code: stream.SetDMA0Len, Payload: 16}, {Code: stream.OpDMAStart}}
	_, err := newCall(&stub{}, ethosu.Options{}, executor.Blob{Bytes: m.encode()}, make8(16), make8(16))
	require.Equal(t, []string{"region_readonly"}, rulesOf(err))
}

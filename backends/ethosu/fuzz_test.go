package ethosu_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/sim"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/fixtures/ethosu/corpus"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// FuzzDelegate changes bytes of real containers, header and stream alike, and takes what is left through the whole delegate
// on the simulator: it is refused or it runs, and touches nothing but its own memory.
func FuzzDelegate(f *testing.F) {
	c := corpus.Committed(f)
	names := []string{"conv2d_1x1.u55-128.ss", "net_dscnn_kws.u65-512.ds384", "multi_3in_3out.u85-512.ds384", "mul_a16.u55-128.ss", "cop2_conv8.u85-512.so", "while_tanh.u85-2048.ds256"}
	var blobs [][]byte
	for i, name := range names {
		blobs = append(blobs, c.Blobs(f, named(f, c, name))[0])
		f.Add(uint8(i), uint32(48), uint32(7), uint32(300), byte(1))
		f.Add(uint8(i), uint32(0), uint32(0), uint32(0), byte(0))
	}
	npu := sim.New(sim.Options{Workers: 1})
	backend := ethosu.NewBackend(npu, ethosu.Options{Timeout: time.Second})
	const guard = 64
	f.Fuzz(func(t *testing.T, which uint8, at, word, second uint32, value byte) {
		original := blobs[int(which)%len(blobs)]
		b := append([]byte{}, original...)
		for i := range uint32(4) {
			b[(at+i)%uint32(len(b))] ^= byte(word >> (8 * i))
		}
		b[second%uint32(len(b))] ^= value
		d, err := backend.Init(executor.Blob{Bytes: b, Method: "forward", Calls: 1})
		if err != nil {
			return
		}
		defer d.Close()
		parsed, err := ethosu.Parse(b, nil)
		require.NoError(t, err)
		if parsed.ScratchBytes > 1<<20 {
			return
		}
		var args []*executor.Value
		for _, x := range append(append([]ethosu.Tensor{}, parsed.Inputs...), parsed.Outputs...) {
			dtype, ok := map[int]executor.DType{1: pte.Char, 2: pte.Short, 4: pte.Int}[x.ElemBytes]
			if !ok || x.Bytes() > 1<<20 {
				return
			}
			args = append(args, executor.NewTensorValue(executor.NewTensor(dtype, x.Shape[:], nil)))
		}
		scratch := make([]byte, int(parsed.ScratchBytes)+2*guard)
		for i := range scratch {
			scratch[i] = 0xA5
		}
		inner := scratch[guard : len(scratch)-guard : len(scratch)-guard]
		args = append(args, executor.NewTensorValue(executor.NewTensor(pte.Byte, []int{len(inner)}, inner)))
		needs, err := d.Prepare(args)
		if err != nil {
			return
		}
		fast := 0
		for _, n := range needs {
			if n.Bytes > 1<<20 {
				return
			}
			if n.Place == memory.Fast {
				fast += int(n.Bytes) + 64
			}
		}
		_ = d.Execute(executor.NewScope(nil, 64).GiveFast(fast), args)
		for i := range guard {
			require.Equal(t, byte(0xA5), scratch[i])
			require.Equal(t, byte(0xA5), scratch[len(scratch)-1-i])
		}
	})
}

package sim_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/sim"
	"github.com/ptero-rt/ptero/backends/ethosu/stream"
	"github.com/ptero-rt/ptero/fixtures/ethosu/corpus"
	"github.com/stretchr/testify/require"
)

// program returns a committed program by name.
func program(t testing.TB, name string) (*corpus.Corpus, corpus.Program) {
	c := corpus.Committed(t)
	for _, p := range c.Programs {
		if p.Name == name {
			return c, p
		}
	}
	t.Fatalf("no program %s", name)
	return nil, corpus.Program{}
}

func loadNamed(t testing.TB, o sim.Options, name string) *delegate {
	c, p := program(t, name)
	d, err := load(device(t, o), c.Blobs(t, p)[0], nil)
	require.NoError(t, err)
	return d
}

// A run allocates nothing, with one worker and with several.
func TestRunAllocates(t *testing.T) {
	for _, name := range []string{"net_mobilenetv2_035_96.u55-128.ss", "net_attention.u85-128.so", "net_dscnn_kws.u65-512.ds384", "conv3d.u85-256.ds512"} {
		for _, workers := range []int{1, 4} {
			d := loadNamed(t, sim.Options{Workers: workers}, name)
			require.NoError(t, d.run())
			require.NoError(t, d.run())
			if workers == 1 {
				require.Zero(t, testing.AllocsPerRun(3, func() { require.NoError(t, d.run()) }), name)
				continue
			}
			var before, after runtime.MemStats // AllocsPerRun would pin the workers to one thread
			runtime.ReadMemStats(&before)
			for range 10 {
				if err := d.run(); err != nil {
					t.Fatal(err)
				}
			}
			runtime.ReadMemStats(&after)
			require.Less(t, after.Mallocs-before.Mallocs, uint64(10), name)
		}
	}
}

// The number of workers does not change a byte.
func TestWorkers(t *testing.T) {
	for _, name := range []string{"net_mobilenetv2_035_96.u55-128.ss", "net_unet.u85-128.so", "net_attention.u85-128.so"} {
		var want []byte
		for _, workers := range []int{1, 2, 3, 7} {
			d := loadNamed(t, sim.Options{Workers: workers}, name)
			for i := range d.job.Regions[ethosu.RegionScratch].Bytes {
				d.job.Regions[ethosu.RegionScratch].Bytes[i] = byte(i * 7)
			}
			require.NoError(t, d.run())
			if want == nil {
				want = d.job.Regions[ethosu.RegionScratch].Bytes
			}
			require.Equal(t, want, d.job.Regions[ethosu.RegionScratch].Bytes, name)
		}
	}
}

// Weights that change between jobs, or that the device did not see when it was loaded, are decoded again.
func TestWeightsSeenLate(t *testing.T) {
	for _, name := range []string{"net_dscnn_kws.u55-128.ss", "net_dscnn_kws.u65-512.ds384"} {
		c, p := program(t, name)
		payload := c.Blobs(t, p)[0]
		blob, err := ethosu.Parse(payload, nil)
		require.NoError(t, err)
		s := device(t, sim.Options{})
		late := make([]byte, len(blob.Weights))
		d := &delegate{blob: blob}
		d.program, err = s.LoadProgram(ethosu.Network{Commands: blob.Commands, Weights: ethosu.Region{Bytes: late}})
		require.NoError(t, err)
		d.reserve()
		d.job.Regions[ethosu.RegionWeights].Bytes = late
		require.Error(t, d.run(), "zeros are no weight stream")
		elsewhere := append([]byte{}, blob.Weights...)
		d.job.Regions[ethosu.RegionWeights].Bytes = elsewhere
		vector := c.IO[p.IO][0].Calls[0]
		io := c.IOBytes(t, p)
		copy(d.tensor(blob.Inputs[0]), vector.In[0].Of(io))
		require.NoError(t, d.run())
		require.Equal(t, vector.Out[0].Of(io), d.tensor(blob.Outputs[0]))
	}
}

func TestRefused(t *testing.T) {
	c, p := program(t, "net_dscnn_kws.u55-128.ss")
	payload := c.Blobs(t, p)[0]
	_, err := load(device(t, sim.Options{Accelerator: stream.Accelerator{Product: stream.U85, MACs: 256}}), payload, nil)
	require.ErrorContains(t, err, "want a stream for ethos-u85-256, have one for ethos-u55-128")

	d := loadNamed(t, sim.Options{}, "net_dscnn_kws.u55-128.ss")
	_, err = d.program.Wait(context.Background())
	require.ErrorContains(t, err, "want a submitted job")
	whole := d.job.Regions[ethosu.RegionScratch].Bytes
	d.job.Regions[ethosu.RegionScratch].Bytes = whole[:100]
	require.ErrorContains(t, d.run(), "region 1: want at least")
	d.job.Regions[ethosu.RegionScratch].Bytes = whole

	d.job.Timeout = time.Nanosecond
	require.ErrorIs(t, d.run(), ethosu.ErrTimeout)
	d.job.Timeout = 0
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.NoError(t, d.program.Submit(&d.job))
	_, err = d.program.Wait(ctx)
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, d.run())
}

// Strict loading refuses a stream whose waits were taken out, and one that reads what nobody wrote.
func TestStrictRefuses(t *testing.T) {
	c, p := program(t, "net_dscnn_kws.u65-512.ds384")
	blob, err := ethosu.Parse(c.Blobs(t, p)[0], nil)
	require.NoError(t, err)
	s := device(t, sim.Options{Strict: true})
	n := ethosu.Network{Commands: blob.Commands, Weights: ethosu.Region{Bytes: blob.Weights}, Inputs: blob.Inputs}
	_, err = s.Load(n)
	require.NoError(t, err)

	n.Inputs = []ethosu.Tensor{}
	_, err = s.Load(n)
	require.ErrorIs(t, err, sim.ErrUninitialised)
	require.ErrorContains(t, err, "IFM: byte")

	n.Inputs, n.Commands.Stream = nil, append([]byte{}, blob.Commands.Stream...)
	decoded, err := stream.Decode(blob.Commands.Accelerator, n.Commands.Stream)
	require.NoError(t, err)
	for _, command := range decoded.Commands {
		if command.Code == stream.OpDMAWait {
			n.Commands.Stream[command.Offset] = byte(stream.OpPMUMask)
		}
	}
	_, err = s.Load(n)
	require.ErrorIs(t, err, sim.ErrHazard)
	require.ErrorContains(t, err, "which DMA destination of an operation that may still run writes")
	loose := device(t, sim.Options{})
	_, err = loose.Load(n)
	require.NoError(t, err)
}

// The look-up table that Vela 5.1 loads past the end of the shared RAM is refused by name.
func TestTableOutside(t *testing.T) {
	c := corpus.Shared(t)
	count := 0
	for _, p := range c.Programs {
		if len(p.KnownDefect) == 0 {
			continue
		}
		count++
		var err error
		for _, b := range c.Blobs(t, p) {
			if _, e := load(device(t, sim.Options{}), b, nil); e != nil {
				err = e
			}
		}
		require.ErrorContains(t, err, "want table memory within 16384 bytes", p.Name)
	}
	require.Equal(t, 3, count)
}

func TestCosts(t *testing.T) {
	d := loadNamed(t, sim.Options{}, "net_mobilenetv2_035_96.u55-128.ss")
	costs, hz, err := d.program.Costs("", "")
	require.NoError(t, err)
	require.Equal(t, 500e6, hz)
	require.Len(t, costs, 78)
	require.Equal(t, "Conv 3x3 to 48x48x16", costs[0].Name)
	_, _, err = d.program.Costs("nowhere", "")
	require.ErrorContains(t, err, "system configuration")
	_, _, err = d.program.Costs("", "nowhere")
	require.ErrorContains(t, err, "memory mode")
	require.NoError(t, d.program.Submit(&d.job))
	counted, err := d.program.Wait(context.Background())
	require.NoError(t, err)
	require.True(t, counted.Estimated)
	require.NotZero(t, counted.Cycles)
}

// FuzzRun changes bytes of real streams and weights: whatever they ask for is done or refused.
func FuzzRun(f *testing.F) {
	names := []string{"conv2d_1x1.u55-128.ss", "softmax.u65-256.ds384", "cond_simple.u85-128.ds", "gather.u85-1024.so", "upsample_bilinear2.u85-1024.ss", "conv3d.u85-256.ds512", "conv2d_3x3_p1.u65-256.ds384"}
	var blobs []*ethosu.Blob
	for i, name := range names {
		c, p := program(f, name)
		blob, err := ethosu.Parse(c.Blobs(f, p)[0], nil)
		require.NoError(f, err)
		blobs = append(blobs, blob)
		f.Add(uint8(i), uint16(40), uint32(1), uint16(3), byte(255))
	}
	s := sim.New(sim.Options{Workers: 1})
	f.Fuzz(func(t *testing.T, which uint8, at uint16, word uint32, weight uint16, value byte) {
		blob := blobs[int(which)%len(blobs)]
		n := ethosu.Network{Commands: blob.Commands, Weights: ethosu.Region{Bytes: append([]byte{}, blob.Weights...)}}
		n.Commands.Stream = append([]byte{}, blob.Commands.Stream...)
		for i := range 4 {
			n.Commands.Stream[(int(at)*4+i)%len(n.Commands.Stream)] ^= byte(word >> (8 * i))
		}
		n.Weights.Bytes[int(weight)%len(n.Weights.Bytes)] ^= value
		p, err := s.LoadProgram(n)
		if err != nil {
			return
		}
		var job ethosu.Job
		job.Timeout = 2 * time.Second
		need := p.Stream().RegionBytes()
		for r := range job.Regions {
			if need[r] > 1<<20 {
				return
			}
			job.Regions[r].Bytes = make([]byte, need[r])
		}
		job.Regions[0].Bytes = append(n.Weights.Bytes, make([]byte, need[0])...)
		if p.Submit(&job) == nil {
			_, _ = p.Wait(context.Background())
		}
	})
}

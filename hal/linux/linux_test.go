package linux

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/hal/haltest"
)

// fake is a kernel in this process. Its n-th call fails with errFake.
type fake struct {
	mu     sync.Mutex
	n      int
	calls  int
	next   int
	paths  map[int]string
	sizes  map[int]uint64
	maps   int
	offset []int64
	syncs  []uint64
}

var errFake = errors.New("the kernel says no")

func newFake(n int) *fake {
	return &fake{n: n, next: 3, paths: map[int]string{}, sizes: map[int]uint64{}}
}

func (f *fake) fail() error {
	if f.calls++; f.calls == f.n {
		return errFake
	}
	return nil
}

func (f *fake) add(path string, size uint64) int {
	f.next++
	f.paths[f.next], f.sizes[f.next] = path, size
	return f.next
}

func (f *fake) open(path string) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.fail(); err != nil {
		return 0, err
	}
	return f.add(path, 0), nil
}

func (f *fake) ioctl(fd int, request uintptr, arg []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.fail(); err != nil {
		return err
	}
	switch request {
	case 0xC0184800:
		if len(arg) != 24 || binary.NativeEndian.Uint32(arg[12:]) != 0x80002 || binary.NativeEndian.Uint64(arg[16:]) != 0 {
			return fmt.Errorf("bad allocation % x", arg)
		}
		binary.NativeEndian.PutUint32(arg[8:], uint32(f.add("buffer", binary.NativeEndian.Uint64(arg))))
	case 0x40086200:
		if len(arg) != 8 || f.paths[fd] != "buffer" {
			return fmt.Errorf("bad sync of %s", f.paths[fd])
		}
		f.syncs = append(f.syncs, binary.NativeEndian.Uint64(arg))
	default:
		return fmt.Errorf("unknown request %#x", request)
	}
	return nil
}

func (f *fake) mmap(fd int, offset int64, length int) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.fail(); err != nil {
		return nil, err
	}
	f.maps++
	f.offset = append(f.offset, offset)
	return make([]byte, length), nil
}

func (f *fake) munmap(b []byte) error { f.maps--; return nil }

func (f *fake) close(fd int) error {
	if _, ok := f.paths[fd]; !ok {
		return fmt.Errorf("descriptor %d closed twice", fd)
	}
	delete(f.paths, fd)
	return nil
}

func spec() hal.Spec {
	npu := []hal.View{{Device: "npu0", Limit: 1 << 20}}
	return hal.Spec{Name: "imx95", Devices: []hal.Device{{Name: "npu0", Kind: "neutron-s"}},
		Pools: []hal.Pool{
			{Name: "OCRAM", Class: hal.SRAM, Attr: hal.CPURead | hal.CPUWrite, Base: 0x2048_0000, Size: 64 << 10, Align: 4096, Views: npu[:0:0]},
			{Name: "DDR", Class: hal.DRAM, Attr: hal.CPURead | hal.CPUWrite | hal.CPUCached, Base: 0x1_0000_0000, Size: 1 << 20, Align: 4096, Line: 64, Views: npu},
		},
		Placement: hal.Placement{Default: 1, Temp: 1, Fast: 0, FastBytes: 4096, Constants: 1}}
}

var sources = map[string]Source{"OCRAM": Physical{Path: "/dev/mem"}, "DDR": Heap{"/dev/dma_heap/linux,cma"}}

func TestConformance(t *testing.T) {
	haltest.Run(t, func(t *testing.T) hal.Board {
		b, err := open(spec(), sources, newFake(0))
		require.NoError(t, err)
		return b
	})
}

func TestSync(t *testing.T) {
	f := newFake(0)
	b, err := open(spec(), sources, f)
	require.NoError(t, err)
	require.Equal(t, []int64{0x2048_0000, 0}, f.offset)
	w, err := b.Window(1)
	require.NoError(t, err)
	require.NoError(t, b.Sync(w, hal.Clean))
	require.Equal(t, []uint64{4 | 2}, f.syncs)
	require.NoError(t, b.Sync(w, hal.CleanInvalidate))
	require.Equal(t, []uint64{6, 4 | 3}, f.syncs)
	require.NoError(t, b.Sync(w, hal.Invalidate))
	require.Equal(t, []uint64{6, 7, 6, 1}, f.syncs, "written back before it is dropped")
	sram, err := b.Window(0)
	require.NoError(t, err)
	require.NoError(t, b.Sync(sram, hal.Clean))
	require.Len(t, f.syncs, 4, "uncached")
	fd, ok := b.FD(1)
	require.True(t, ok)
	require.Equal(t, "buffer", f.paths[fd])
	_, ok = b.FD(0)
	require.False(t, ok)
	require.NoError(t, b.Close())
	require.Empty(t, f.paths)
	require.Zero(t, f.maps)
	_, ok = b.FD(1)
	require.False(t, ok)
}

// Whichever call the kernel refuses, Open says so and nothing stays open.
func TestEveryFailure(t *testing.T) {
	for n := 1; ; n++ {
		f := newFake(n)
		b, err := open(spec(), sources, f)
		if f.calls < n {
			require.NoError(t, err)
			require.NoError(t, b.Close())
			break
		}
		require.ErrorIs(t, err, errFake)
		require.ErrorContains(t, err, "pool ")
		require.Empty(t, f.paths, "call %d", n)
		require.Zero(t, f.maps)
	}
	_, err := open(spec(), nil, newFake(0))
	require.ErrorContains(t, err, "pool OCRAM: want a source")
	require.ErrorContains(t, err, "pool DDR: want a source")
	big := spec()
	big.Pools[0].Base = 1 << 63
	_, err = open(big, sources, newFake(0))
	require.ErrorContains(t, err, "below 2^63")
}

func TestSyncFailure(t *testing.T) {
	f := newFake(0)
	b, err := open(spec(), sources, f)
	require.NoError(t, err)
	w, err := b.Window(1)
	require.NoError(t, err)
	f.n = f.calls + 1
	require.ErrorIs(t, b.Sync(w, hal.Invalidate), errFake)
	f.n = f.calls + 2
	require.ErrorIs(t, b.Sync(w, hal.Invalidate), errFake)
	require.NoError(t, b.Close())
}

// The structures have the sizes that the request numbers state, and fields where the kernel's headers have them.
func TestLayouts(t *testing.T) {
	size := func(request uint32) int { return int(request >> 16 & 0x3FFF) }
	a := heapAllocation{1, 2, 3, 4}
	b := a.bytes()
	require.Equal(t, size(ioctlHeapAllocate), len(b))
	require.EqualValues(t, 1, binary.NativeEndian.Uint64(b[0:]))
	require.EqualValues(t, 2, binary.NativeEndian.Uint32(b[8:]))
	require.EqualValues(t, 3, binary.NativeEndian.Uint32(b[12:]))
	require.EqualValues(t, 4, binary.NativeEndian.Uint64(b[16:]))
	require.Equal(t, a, parseHeapAllocation(b))
	s := bufferSync{5}.bytes()
	require.Equal(t, size(ioctlBufferSync), len(s))
}

// The real kernel, where this machine has a heap.
func TestKernel(t *testing.T) {
	const heap = "/dev/dma_heap/system"
	if _, err := os.Stat(heap); err != nil {
		_, err := Open(spec(), sources)
		require.Error(t, err)
		t.Skip("no DMA heap on this machine")
	}
	one := spec()
	one.Pools, one.Placement = one.Pools[1:], hal.Placement{}
	haltest.Run(t, func(t *testing.T) hal.Board {
		b, err := Open(one, map[string]Source{"DDR": Heap{heap}})
		require.NoError(t, err)
		return b
	})
}

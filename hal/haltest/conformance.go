// Package haltest is what any hal.Board must do, as a test suite, and a board whose calls fail on demand.
package haltest

import (
	"bytes"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/hal"
)

// Run checks a board. open is called several times and gives a fresh one each time; Run closes it.
func Run(t *testing.T, open func(t *testing.T) hal.Board) {
	each := func(name string, f func(t *testing.T, b hal.Board)) {
		t.Run(name, func(t *testing.T) {
			b := open(t)
			f(t, b)
			require.NoError(t, b.Close())
			require.NoError(t, b.Close(), "a second Close does nothing")
		})
	}
	each("pools", pools)
	each("placement", placement)
	each("windows", windows)
	each("locate", locate)
	each("sync", syncs)
	each("clock", clocks)
	each("simulated", simulated)
	each("trim", trim)
	each("goroutines", goroutines)
	t.Run("closed", func(t *testing.T) {
		b := open(t)
		require.NoError(t, b.Close())
		_, err := b.Window(0)
		require.Error(t, err)
	})
}

func pools(t *testing.T, b hal.Board) {
	require.NotEmpty(t, b.Name())
	require.NotEmpty(t, b.Pools())
	require.Equal(t, b.Pools(), b.Pools(), "the order is fixed")
	devices := map[string]bool{}
	for _, d := range b.Devices() {
		require.NotEmpty(t, d.Name)
		require.False(t, devices[d.Name], "two devices %s", d.Name)
		devices[d.Name] = true
	}
	names := map[string]bool{}
	for i, p := range b.Pools() {
		require.NotEmpty(t, p.Name)
		require.False(t, names[p.Name], "two pools %s", p.Name)
		names[p.Name] = true
		require.NotZero(t, p.Size, p.Name)
		require.NotZero(t, p.Align, p.Name)
		require.Zero(t, p.Align&(p.Align-1), "%s: alignment is a power of two", p.Name)
		require.Zero(t, p.Base%uint64(p.Align), "%s: base is aligned as promised", p.Name)
		require.Zero(t, p.Line&(p.Line-1), "%s: line is a power of two", p.Name)
		require.GreaterOrEqual(t, p.Base+p.Size, p.Base, "%s ends within 64 bits", p.Name)
		for _, q := range b.Pools()[:i] {
			require.True(t, p.Base >= q.Base+q.Size || q.Base >= p.Base+p.Size, "%s overlaps %s", p.Name, q.Name)
		}
		for _, v := range p.Views {
			require.True(t, devices[v.Device], "%s: view of unknown device %s", p.Name, v.Device)
			require.LessOrEqual(t, v.Limit, p.Size)
		}
		for _, r := range p.Reserved {
			require.LessOrEqual(t, r.Offset+r.Size, p.Size)
		}
	}
}

func placement(t *testing.T, b hal.Board) {
	l := b.Placement()
	known := func(id hal.PoolID) bool { return id == hal.NoPool || int(id) < len(b.Pools()) }
	for m, id := range l.Arenas {
		require.NotZero(t, m, "mem_ids begin at 1")
		require.True(t, known(id) && id != hal.NoPool)
	}
	require.True(t, known(l.Default) && known(l.Temp) && known(l.Fast) && known(l.Constants))
	if int(l.Fast) < len(b.Pools()) {
		require.LessOrEqual(t, l.FastBytes, b.Pools()[l.Fast].Size)
	}
}

func windows(t *testing.T, b hal.Board) {
	for i, p := range b.Pools() {
		w, err := b.Window(hal.PoolID(i))
		require.NoError(t, err, p.Name)
		if ^uint(0)>>32 != 0 {
			require.EqualValues(t, p.Size, len(w.Bytes), p.Name)
		}
		require.True(t, len(w.Bytes) > 0 && uint64(len(w.Bytes)) <= p.Size, p.Name)
		require.Equal(t, p.Base, w.Addr)
		require.Equal(t, hal.PoolID(i), w.Pool)
		again, err := b.Window(hal.PoolID(i))
		require.NoError(t, err)
		if p.Attr.Has(hal.CPUWrite) {
			w.Bytes[0], w.Bytes[len(w.Bytes)-1] = byte(i+1), byte(i+2)
			require.EqualValues(t, i+1, again.Bytes[0], "one memory")
		}
	}
	for i, p := range b.Pools() {
		if w, err := b.Window(hal.PoolID(i)); p.Attr.Has(hal.CPUWrite) {
			require.NoError(t, err)
			require.EqualValues(t, i+1, w.Bytes[0], "pools are separate")
		}
	}
	_, err := b.Window(hal.PoolID(len(b.Pools())))
	require.Error(t, err)
	_, err = b.Window(hal.NoPool)
	require.Error(t, err)
}

func locate(t *testing.T, b hal.Board) {
	for i, p := range b.Pools() {
		w, err := b.Window(hal.PoolID(i))
		require.NoError(t, err)
		half := len(w.Bytes) / 2
		r, ok := b.Locate(w.Bytes[half : half+8])
		require.True(t, ok)
		require.Equal(t, p.Base+uint64(half), r.Addr)
		require.Equal(t, hal.PoolID(i), r.Pool)
		require.Len(t, r.Bytes, 8)
	}
	if r, ok := b.Locate(make([]byte, 64)); ok {
		require.Less(t, int(r.Pool), len(b.Pools()))
		require.Len(t, r.Bytes, 64)
	}
	_, ok := b.Locate(nil)
	require.False(t, ok)
}

func syncs(t *testing.T, b hal.Board) {
	for i, p := range b.Pools() {
		w, err := b.Window(hal.PoolID(i))
		require.NoError(t, err)
		n := min(p.Size, 4096)
		for _, d := range []hal.Direction{hal.Clean, hal.CleanInvalidate, hal.Invalidate} {
			want := bytes.Repeat([]byte{1, byte(d), 3}, 1366)
			if p.Attr.Has(hal.CPUWrite) {
				copy(w.Bytes[:n], want)
				require.NoError(t, b.Sync(w.Slice(0, n), hal.Clean))
			}
			require.NoError(t, b.Sync(w.Slice(0, n), d))
			require.NoError(t, b.Sync(w.Slice(1, min(3, n-1)), d), "edges need no alignment")
			require.NoError(t, b.Sync(w.Slice(uint64(len(w.Bytes)), 0), d), "nothing is fine")
			if p.Attr.Has(hal.CPUWrite) {
				require.Equal(t, want[:n], w.Bytes[:n], "maintenance of cleaned data keeps it")
			}
		}
		require.Error(t, b.Sync(w.Slice(0, n), 0))
	}
	require.Error(t, b.Sync(hal.Region{Bytes: make([]byte, 8), Pool: hal.NoPool}, hal.Clean))
}

func clocks(t *testing.T, b hal.Board) {
	c := b.Clock()
	require.NotEmpty(t, c.Name())
	require.NotZero(t, c.Hz())
	require.NotZero(t, c.Bits())
	last := c.Now()
	for advanced := false; !advanced; {
		now := c.Now()
		advanced = now != last
		if c.Bits() > 60 {
			require.GreaterOrEqual(t, now, last)
		}
	}
}

// simulated checks that a device sees what was cleaned, that the CPU sees what was invalidated, and that a device sees
// only what its views hold.
func simulated(t *testing.T, b hal.Board) {
	s, ok := b.(hal.Simulated)
	if !ok {
		t.Skip("the board has hardware")
	}
	names := []string{}
	for _, d := range b.Devices() {
		names = append(names, d.Name)
	}
	if len(names) == 0 {
		names = append(names, "npu")
	}
	for i, p := range b.Pools() {
		w, err := b.Window(hal.PoolID(i))
		require.NoError(t, err)
		for _, name := range names {
			r := w.Slice(0, min(p.Size, 256))
			view, seen := hal.ViewOf(b, hal.PoolID(i), name)
			d, err := s.DeviceBytes(name, r)
			if !seen || view.Limit < uint64(len(r.Bytes)) {
				require.Error(t, err, "%s does not see %s", name, p.Name)
				continue
			}
			require.NoError(t, err)
			require.Len(t, d, len(r.Bytes))
			if !p.Attr.Has(hal.CPUWrite) {
				continue
			}
			r.Bytes[17] = 11
			require.NoError(t, b.Sync(r, hal.CleanInvalidate))
			require.EqualValues(t, 11, d[17])
			d[17] = 12
			require.NoError(t, b.Sync(r, hal.Invalidate))
			require.EqualValues(t, 12, r.Bytes[17])
		}
	}
	_, err := s.DeviceBytes("npu", hal.Region{Bytes: make([]byte, 8), Pool: hal.NoPool})
	require.Error(t, err)
}

func trim(t *testing.T, b hal.Board) {
	tr, ok := b.(hal.Trimmer)
	if !ok {
		t.Skip("the board cannot trim")
	}
	for i, p := range b.Pools() {
		if !p.Attr.Has(hal.CPUWrite) {
			continue
		}
		w, err := b.Window(hal.PoolID(i))
		require.NoError(t, err)
		w.Bytes[0] = 1
		require.NoError(t, tr.Trim(w.Slice(0, min(p.Size, 1<<16))))
		w.Bytes[0] = 2
		require.EqualValues(t, 2, w.Bytes[0], "still usable")
	}
}

func goroutines(t *testing.T, b hal.Board) {
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i, p := range b.Pools() {
				w, err := b.Window(hal.PoolID(i))
				if err != nil {
					t.Error(err)
					return
				}
				line := uint64(max(p.Line, 64))
				if off := uint64(g) * line; off+line <= p.Size && p.Attr.Has(hal.CPUWrite) {
					r := w.Slice(off, line)
					r.Bytes[0] = byte(g)
					if err := b.Sync(r, hal.CleanInvalidate); err != nil {
						t.Error(err)
					}
					b.Locate(r.Bytes)
					b.Clock().Now()
				}
			}
		})
	}
	wg.Wait()
}

//go:build unix

package sim

import (
	"os"

	"golang.org/x/sys/unix"
)

// reserve maps size bytes between two guard pages. Pages cost nothing until they are touched.
func reserve(size uint64) (*mapping, error) {
	page := uint64(os.Getpagesize())
	whole := (size+page-1)&^(page-1) + 2*page
	if uint64(int(whole)) != whole || int(whole) < 0 {
		return nil, unix.ENOMEM
	}
	all, err := unix.Mmap(-1, 0, int(whole), unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON|noReserve)
	if err != nil {
		return nil, err
	}
	inner := all[page : whole-page]
	if err := unix.Mprotect(inner, unix.PROT_READ|unix.PROT_WRITE); err != nil {
		_ = unix.Munmap(all)
		return nil, err
	}
	return &mapping{bytes: inner[:size:size], all: all}, nil
}

func (m *mapping) close() error { return unix.Munmap(m.all) }

// trim gives whole pages inside b back to the system; they read as zero afterwards.
func (m *mapping) trim(from, to uint64) error {
	page := uint64(os.Getpagesize())
	from, to = (from+page-1)&^(page-1), to&^(page-1)
	if from >= to {
		return nil
	}
	return unix.Madvise(m.bytes[from:to], unix.MADV_DONTNEED)
}

package linux

import (
	"errors"
	"fmt"

	"github.com/ptero-rt/ptero/hal"
)

// system is what this package asks of the kernel. An ioctl's argument is the bytes of its structure, in and out.
type system interface {
	open(path string) (int, error)
	ioctl(fd int, request uintptr, arg []byte) error
	mmap(fd int, offset int64, length int) ([]byte, error)
	munmap(b []byte) error
	close(fd int) error
}

// open allocates a buffer of the heap and maps it.
func (h Heap) open(s system, p *hal.Pool) (*mapping, error) {
	heap, err := s.open(h.Path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", h.Path, err)
	}
	arg := heapAllocation{length: p.Size, flags: openReadWrite | openCloseOnExec}.bytes()
	err = s.ioctl(heap, ioctlHeapAllocate, arg[:])
	if err := errors.Join(err, s.close(heap)); err != nil {
		return nil, fmt.Errorf("%s: DMA_HEAP_IOCTL_ALLOC of %d B: %w", h.Path, p.Size, err)
	}
	fd := int(parseHeapAllocation(arg).fd)
	return mapped(s, &mapping{fd: fd, synced: true}, h.Path, 0, p.Size)
}

// open maps bus addresses.
func (w Physical) open(s system, p *hal.Pool) (*mapping, error) {
	at := p.Base
	if w.Offset != nil {
		at = *w.Offset
	}
	if at > 1<<63-1 {
		return nil, fmt.Errorf("%s: want an address below 2^63, found %#x", w.Path, at)
	}
	fd, err := s.open(w.Path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.Path, err)
	}
	return mapped(s, &mapping{fd: fd}, w.Path, int64(at), p.Size)
}

func mapped(s system, m *mapping, path string, offset int64, size uint64) (*mapping, error) {
	if uint64(int(size)) != size || int(size) < 0 {
		return nil, errors.Join(fmt.Errorf("%s: want a size that this machine can map, found %d B", path, size), s.close(m.fd))
	}
	b, err := s.mmap(m.fd, offset, int(size))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: mmap of %d B at %#x: %w", path, size, offset, err), s.close(m.fd))
	}
	m.bytes = b
	return m, nil
}

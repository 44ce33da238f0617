package linux

import "encoding/binary"

// Requests and flags of include/uapi/linux/dma-heap.h and dma-buf.h; the same on all architectures that ptero builds for.
const (
	ioctlHeapAllocate = 0xC0184800 // _IOWR('H', 0, struct dma_heap_allocation_data)
	ioctlBufferSync   = 0x40086200 // _IOW('b', 0, struct dma_buf_sync)

	syncRead  = 1
	syncWrite = 2
	syncStart = 0
	syncEnd   = 4

	openReadWrite   = 0x2
	openCloseOnExec = 0x80000
)

// heapAllocation is struct dma_heap_allocation_data: length, descriptor (out), its flags, the heap's flags (none exist).
type heapAllocation struct {
	length    uint64
	fd        uint32
	flags     uint32
	heapFlags uint64
}

func (a heapAllocation) bytes() (b [24]byte) {
	binary.NativeEndian.PutUint64(b[0:], a.length)
	binary.NativeEndian.PutUint32(b[8:], a.fd)
	binary.NativeEndian.PutUint32(b[12:], a.flags)
	binary.NativeEndian.PutUint64(b[16:], a.heapFlags)
	return b
}

func parseHeapAllocation(b [24]byte) heapAllocation {
	return heapAllocation{binary.NativeEndian.Uint64(b[0:]), binary.NativeEndian.Uint32(b[8:]), binary.NativeEndian.Uint32(b[12:]), binary.NativeEndian.Uint64(b[16:])}
}

// bufferSync is struct dma_buf_sync.
type bufferSync struct{ flags uint64 }

func (s bufferSync) bytes() (b [8]byte) {
	binary.NativeEndian.PutUint64(b[:], s.flags)
	return b
}

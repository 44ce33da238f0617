//go:build linux

package linux

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

type linuxKernel struct{}

func kernel() system { return linuxKernel{} }

// open uses O_SYNC, which makes /dev/mem map uncached; heaps take no notice of it.
func (linuxKernel) open(path string) (int, error) {
	return unix.Open(path, unix.O_RDWR|unix.O_SYNC|unix.O_CLOEXEC, 0)
}

func (linuxKernel) ioctl(fd int, request uintptr, arg []byte) error {
	for {
		_, _, e := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), request, uintptr(unsafe.Pointer(unsafe.SliceData(arg))))
		switch e {
		case 0:
			return nil
		case unix.EINTR, unix.EAGAIN: // DMA_BUF_IOCTL_SYNC may be interrupted and is to be repeated then
			continue
		}
		return e
	}
}

func (linuxKernel) mmap(fd int, offset int64, length int) ([]byte, error) {
	return unix.Mmap(fd, offset, length, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
}

func (linuxKernel) munmap(b []byte) error { return unix.Munmap(b) }
func (linuxKernel) close(fd int) error    { return unix.Close(fd) }

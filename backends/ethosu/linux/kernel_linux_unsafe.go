//go:build linux

package linux

import (
	"errors"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

type machine struct{}

func thisMachine() kernel { return machine{} }

func (machine) open(path string) (int, error) {
	return unix.Open(path, unix.O_RDWR|unix.O_CLOEXEC, 0)
}

func (machine) ioctl(fd int, request uint32, arg []byte) (int, error) {
	for {
		n, _, e := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), uintptr(request), uintptr(unsafe.Pointer(unsafe.SliceData(arg))))
		switch e {
		case 0:
			return int(n), nil
		case unix.EINTR, unix.EAGAIN:
			continue
		}
		return 0, e
	}
}

func (machine) mmap(fd int, offset int64, length int) ([]byte, error) {
	return unix.Mmap(fd, offset, length, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
}

func (machine) munmap(b []byte) error { return unix.Munmap(b) }
func (machine) close(fd int) error    { return unix.Close(fd) }

func (machine) poll(fd int, timeout time.Duration) (bool, error) {
	fds := [1]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	n, err := unix.Poll(fds[:], int(timeout/time.Millisecond))
	if errors.Is(err, unix.EINTR) {
		return false, nil
	}
	return n > 0, err
}

func (machine) monotonic() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		return 0
	}
	return t.Nano()
}

func (machine) gaveUp(err error) bool {
	return errors.Is(err, unix.ETIME) || errors.Is(err, unix.ETIMEDOUT) || errors.Is(err, unix.EBUSY)
}

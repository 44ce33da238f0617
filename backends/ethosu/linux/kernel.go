package linux

import "time"

// kernel is what the drivers need of the operating system. Errors are errno values where the kernel gave one.
type kernel interface {
	open(path string) (int, error)
	ioctl(fd int, request uint32, arg []byte) (int, error)
	mmap(fd int, offset int64, length int) ([]byte, error)
	munmap(b []byte) error
	close(fd int) error
	poll(fd int, timeout time.Duration) (ready bool, err error)
	monotonic() int64 // nanoseconds
	gaveUp(err error) bool
}

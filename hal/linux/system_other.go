//go:build !linux

package linux

import "errors"

type noKernel struct{}

func kernel() system { return noKernel{} }

func (noKernel) open(string) (int, error)             { return 0, errors.ErrUnsupported }
func (noKernel) ioctl(int, uintptr, []byte) error     { return errors.ErrUnsupported }
func (noKernel) mmap(int, int64, int) ([]byte, error) { return nil, errors.ErrUnsupported }
func (noKernel) munmap([]byte) error                  { return errors.ErrUnsupported }
func (noKernel) close(int) error                      { return errors.ErrUnsupported }

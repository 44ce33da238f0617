//go:build !linux

package linux

import (
	"errors"
	"time"
)

type machine struct{}

func thisMachine() kernel { return machine{} }

func (machine) open(string) (int, error)               { return 0, errors.ErrUnsupported }
func (machine) ioctl(int, uint32, []byte) (int, error) { return 0, errors.ErrUnsupported }
func (machine) mmap(int, int64, int) ([]byte, error)   { return nil, errors.ErrUnsupported }
func (machine) munmap([]byte) error                    { return errors.ErrUnsupported }
func (machine) close(int) error                        { return errors.ErrUnsupported }
func (machine) poll(int, time.Duration) (bool, error)  { return false, errors.ErrUnsupported }
func (machine) monotonic() int64                       { return 0 }
func (machine) gaveUp(error) bool                      { return false }

//go:build unix

package pte

import (
	"fmt"
	"io/fs"
	"math"
	"os"

	"golang.org/x/sys/unix"
)

// mapFile gives the bytes of a file, shared with the page cache.
func mapFile(name string) (bytes []byte, unmap func() error, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close() // the mapping outlives it
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	size := info.Size()
	switch {
	case !info.Mode().IsRegular():
		return nil, nil, &fs.PathError{Op: "map", Path: name, Err: fmt.Errorf("want a regular file, found %v", info.Mode())}
	case size > math.MaxInt:
		return nil, nil, &fs.PathError{Op: "map", Path: name, Err: fmt.Errorf("want at most %d B, found %d B", math.MaxInt, size)}
	case size == 0:
		return nil, nil, nil // cannot be mapped
	}
	bytes, err = unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_PRIVATE)
	if err != nil {
		return nil, nil, &fs.PathError{Op: "map", Path: name, Err: err}
	}
	return bytes, func() error { return unix.Munmap(bytes) }, nil
}

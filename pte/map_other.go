//go:build !unix

package pte

import "os"

// mapFile reads a file, where the system has no mapping that this package knows.
func mapFile(name string) (bytes []byte, unmap func() error, err error) {
	bytes, err = os.ReadFile(name)
	return bytes, nil, err
}

//go:build !unix

package sim

import "errors"

var errTooLarge = errors.New("too large for this machine")

// reserve allocates size bytes; there are no guard pages here, and all of it is committed.
func reserve(size uint64) (*mapping, error) {
	const most = 256 << 20
	if size > most {
		return nil, errTooLarge
	}
	b := make([]byte, size+4096)
	off := -address(b) & 4095
	return &mapping{bytes: b[off : off+uintptr(size) : off+uintptr(size)]}, nil
}

func (m *mapping) close() error { return nil }

func (m *mapping) trim(from, to uint64) error {
	clear(m.bytes[from:to])
	return nil
}

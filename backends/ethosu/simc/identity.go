//go:build cgo

package simc

import (
	"errors"

	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

var (
	errNoDriver     = errors.New("want a driver for this product, have none")
	errArguments    = errors.New("want a payload and base addresses of at most 8 regions")
	errPayloadAlign = errors.New("payload: want an address that is a multiple of 16")
)

// identity gives the ID and CONFIG registers of a driver: those of its product, or of its last payload.
func (x *driver) identity() (id, config uint32) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.accelerator == (stream.Accelerator{}) {
		return x.last.IDWord, x.last.ConfigWord
	}
	// Architecture 1.0.6 and 2.0.0, product majors as in the ID register's documentation.
	id = map[stream.Product]uint32{stream.U55: 0x10064001, stream.U65: 0x10066001, stream.U85: 0x20007000}[x.accelerator.Product]
	return id, x.accelerator.ConfigWord()
}

// configWord makes the fields of a CONFIG word that choose a configuration.
func configWord(product, log2MACs uint32) uint32 {
	word := product<<28 | log2MACs&15
	if stream.Product(product) == stream.U85 {
		word |= 1 << 4
	}
	return word
}

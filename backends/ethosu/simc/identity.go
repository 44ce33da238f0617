//go:build cgo

package simc

import (
	"errors"

	"github.com/ptero-rt/ptero/backends/ethosu"
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
	return ethosu.IDWord(x.accelerator), x.accelerator.ConfigWord()
}

// configWord makes the fields of a CONFIG word that choose a configuration.
func configWord(product, log2MACs uint32) uint32 {
	word := product<<28 | log2MACs&15
	if stream.Product(product) == stream.U85 {
		word |= 1 << 4
	}
	return word
}

package stream

import (
	"fmt"
	"math/bits"
)

// Product is the Ethos-U generation; it decides what opcodes and register fields mean.
type Product uint8

// The products, numbered as in the product field of the NPU's CONFIG register.
const (
	U55 Product = iota
	U65
	U85
)

func (p Product) String() string {
	switch p {
	case U55:
		return "ethos-u55"
	case U65:
		return "ethos-u65"
	case U85:
		return "ethos-u85"
	}
	return fmt.Sprintf("ethos-product-%d", uint8(p))
}

// Accelerator is one of the eleven configurations that Arm licenses and Vela compiles for: a product and its number of
// 8-bit multiply-accumulates a cycle. The zero value is no accelerator; a device uses it to say that it takes any.
type Accelerator struct {
	Product Product
	MACs    int
}

// Accelerators lists every configuration, smallest first within a product.
func Accelerators() []Accelerator {
	return []Accelerator{
		{U55, 32}, {U55, 64}, {U55, 128}, {U55, 256},
		{U65, 256}, {U65, 512},
		{U85, 128}, {U85, 256}, {U85, 512}, {U85, 1024}, {U85, 2048},
	}
}

// AcceleratorOf decodes the CONFIG word that Vela writes into a command payload and that the NPU's CONFIG register
// holds: log2 of the MACs in [3:0], command stream version in [7:4], product in [31:28] (ethos-u-core-driver 1.0,
// ethosu_interface.h). Other fields describe memory sizes and do not choose the configuration.
func AcceleratorOf(config uint32) (Accelerator, error) {
	a := Accelerator{Product: Product(config >> 28), MACs: 1 << (config & 15)}
	version, wantVersion := config>>4&15, uint32(0)
	if a.Product == U85 {
		wantVersion = 1
	}
	if !a.valid() {
		return Accelerator{}, fmt.Errorf("config word %#08x: want an Ethos-U55, U65 or U85, have product %d with %d MACs", config, config>>28, a.MACs)
	}
	if version != wantVersion {
		return Accelerator{}, fmt.Errorf("config word %#08x: want command stream version %d for %s, have %d", config, wantVersion, a, version)
	}
	return a, nil
}

// ParseAccelerator reads a name as Vela's --accelerator-config writes it, such as "ethos-u55-128".
func ParseAccelerator(name string) (Accelerator, error) {
	for _, a := range Accelerators() {
		if a.String() == name {
			return a, nil
		}
	}
	return Accelerator{}, fmt.Errorf("accelerator %q: want ethos-u55-{32,64,128,256}, ethos-u65-{256,512} or ethos-u85-{128,256,512,1024,2048}", name)
}

func (a Accelerator) valid() bool {
	for _, b := range Accelerators() {
		if a == b {
			return true
		}
	}
	return false
}

func (a Accelerator) String() string {
	if a == (Accelerator{}) {
		return "any ethos-u"
	}
	return fmt.Sprintf("%s-%d", a.Product, a.MACs)
}

// Cores returns the number of weight decoders that share the output channels: each has a weight stream of its own.
func (a Accelerator) Cores() int {
	switch a {
	case Accelerator{U65, 512}, Accelerator{U85, 512}:
		return 2
	case Accelerator{U85, 1024}, Accelerator{U85, 2048}:
		return 4
	}
	return 1
}

// SharedRAMBytes returns the size of a core's SHRAM of U55 and U65, whose tail holds the look-up tables, or of the 2 KiB
// table memory of U85.
func (a Accelerator) SharedRAMBytes() int {
	switch {
	case a.Product == U85:
		return 2048
	case a.Product == U65 || a.MACs == 256:
		return 48 << 10
	case a.MACs == 128:
		return 24 << 10
	}
	return 16 << 10
}

// TableBase returns the byte address of look-up table 0 in the shared RAM.
func (a Accelerator) TableBase() int {
	if a.Product == U85 {
		return 0
	}
	return a.SharedRAMBytes() - 2048
}

// ConfigWord returns the CONFIG word that Vela 5 writes for a.
func (a Accelerator) ConfigWord() uint32 {
	w := uint32(a.Product)<<28 | uint32(bits.Len(uint(a.MACs))-1)
	if a.Product != U85 {
		return w | uint32(a.Cores()*a.SharedRAMBytes()>>10)<<8
	}
	w |= 1 << 4
	switch a.MACs { // [9:8] log2 SRAM ports, [10] log2 external ports, [13:12] log2 weight decoders
	case 128, 256:
		w |= 1 << 8
	case 512:
		w |= 1<<8 | 1<<12
	case 1024:
		w |= 1<<8 | 1<<10 | 2<<12
	case 2048:
		w |= 2<<8 | 1<<10 | 2<<12
	}
	return w
}

// Package ptebuild makes small `.pte`, `.bpte` and `.ptd` files by hand, for tests.
//
//	b := ptebuild.New()
//	m := b.Method("forward")
//	x := m.Input(pte.Float, 4)
//	w := m.Constant(pte.Float, ptebuild.Bytes[float32](1, 2, 3, 4), 4)
//	y := m.Tensor(pte.Float, 4)
//	m.Kernel("aten::add.out", x, w, m.Int(1), y, y)
//	m.Output(y)
//	file := b.Encode(t)
//
// Tensors are planned one behind the other in buffer 1, 16 bytes apart at least and never reused, unless told otherwise.
package ptebuild

import (
	"encoding/binary"
	"testing"

	"github.com/ptero-rt/ptero/pte"
)

// Program is a program in the making.
type Program struct {
	made    pte.Program
	methods []*Method
}

// New is an empty program.
func New() *Program {
	return &Program{made: pte.Program{Constants: [][]byte{nil}}}
}

// Method adds a plan with one chain.
func (p *Program) Method(name string) *Method {
	m := &Method{program: p, plan: &pte.Plan{Name: name, BufferBytes: []uint64{0}, Chains: make([]pte.Chain, 1)}}
	p.methods = append(p.methods, m)
	return m
}

// Named adds a named blob in a segment of its own.
func (p *Program) Named(key string, b []byte) {
	p.made.NamedData = append(p.made.NamedData, pte.NamedData{Key: key, Bytes: b})
}

// Program is what was built so far, unchecked: for tests that need a program which no file could hold.
func (p *Program) Program() *pte.Program {
	p.made.Plans = nil
	for _, m := range p.methods {
		p.made.Plans = append(p.made.Plans, *m.plan)
	}
	return p.made.Clone()
}

// Encode writes the program as a file.
func (p *Program) Encode(t testing.TB) []byte {
	t.Helper()
	file, err := pte.Rewrite(p.Program())
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// Parse writes the program as a file and reads it back.
func (p *Program) Parse(t testing.TB) *pte.Program {
	t.Helper()
	made, err := pte.Parse(p.Encode(t))
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// Bytes gives numbers as little-endian bytes.
func Bytes[T int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64 | float32 | float64 | bool](list ...T) []byte {
	out, err := binary.Append(nil, binary.LittleEndian, list)
	if err != nil {
		panic(err)
	}
	return out
}

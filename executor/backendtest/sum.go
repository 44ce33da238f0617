package backendtest

import (
	"encoding/binary"
	"fmt"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
)

// Sum is a backend for tests. Every output of its delegates is the bytewise sum of all inputs, computed in scratch: planned
// scratch where the call has some, the temp arena elsewhere, and fast scratch likewise where the blob asks for it.
type Sum struct{}

// Blob makes the payload of a Sum delegate: the number of inputs and outputs, and the bytes of scratch and fast scratch
// that a call needs, both at least as many as a tensor has.
func Blob(in, out int, scratch, fast uint32) []byte {
	b := []byte{'S', 'U', byte(in), byte(out)}
	b = binary.LittleEndian.AppendUint32(b, scratch)
	return binary.LittleEndian.AppendUint32(b, fast)
}

// ID is the name in the file.
func (Sum) ID() string { return "SumBackend" }

// Init reads a payload that Blob made.
func (Sum) Init(b executor.Blob) (executor.Delegate, error) {
	if len(b.Bytes) != 12 || b.Bytes[0] != 'S' || b.Bytes[1] != 'U' {
		return nil, fault.New(fault.InvalidProgram, "blob", "12 B that begin with SU", fmt.Sprintf("%d B", len(b.Bytes)))
	}
	s := &sum{scratch: binary.LittleEndian.Uint32(b.Bytes[4:]), fast: binary.LittleEndian.Uint32(b.Bytes[8:])}
	one := executor.Scratch{Role: "scratch", Size: uint64(s.scratch), Align: 16, Class: hal.AnyClass, Device: "sum"}
	s.arity = executor.Arity{In: int(b.Bytes[2]), Out: int(b.Bytes[3]), Forms: [][]executor.Scratch{{}, {one}}}
	if s.fast > 0 {
		two := executor.Scratch{Role: "fast_scratch", Size: uint64(s.fast), Align: 16, Class: hal.SRAM, Device: "sum"}
		s.arity.Forms = append(s.arity.Forms, []executor.Scratch{one, two})
	}
	return s, nil
}

type sum struct {
	arity         executor.Arity
	scratch, fast uint32
}

func (s *sum) Arity() executor.Arity { return s.arity }

func (s *sum) Prepare(args []*executor.Value) ([]memory.Need, error) {
	in, out, scratch, _, err := s.arity.Split(args)
	if err != nil {
		return nil, err
	}
	bytes := -1
	for i, v := range args[:len(in)+len(out)] {
		t := v.Tensor()
		if t == nil || t.DType.Size() != 1 {
			return nil, fault.New(fault.InvalidArgument, fmt.Sprintf("args[%d]", i), "a tensor of bytes", v.Kind().String())
		}
		if bytes < 0 {
			bytes = t.NBytes()
		}
		if t.NBytes() != bytes || bytes > int(s.scratch) {
			return nil, fault.New(fault.InvalidArgument, fmt.Sprintf("args[%d]", i), fmt.Sprintf("%d B, at most %d", bytes, s.scratch), fmt.Sprintf("%d B", t.NBytes()))
		}
	}
	var needs []memory.Need
	if len(scratch) == 0 {
		needs = append(needs, memory.Need{Role: "scratch", Place: memory.Temp, Bytes: uint64(s.scratch), Align: 16, Class: hal.AnyClass, Device: "sum"})
	}
	if len(scratch) < 2 && s.fast > 0 {
		needs = append(needs, memory.Need{Role: "fast_scratch", Place: memory.Fast, Bytes: uint64(s.fast), Align: 16, Class: hal.SRAM, Device: "sum"})
	}
	return needs, nil
}

func (s *sum) Execute(c *executor.Scope, args []*executor.Value) error {
	in, out, scratch, _, err := s.arity.Split(args)
	if err != nil {
		return err
	}
	var work, fast hal.Region
	if len(scratch) > 0 {
		work = scratch[0].Tensor().Region()
	} else if work, err = c.Temp(memory.Temp, uint64(s.scratch), 16); err != nil {
		return err
	}
	if len(scratch) > 1 {
		fast = scratch[1].Tensor().Region()
	} else if fast, err = c.Temp(memory.Fast, uint64(s.fast), 16); err != nil {
		return err
	}
	for i := range fast.Bytes[:s.fast] {
		fast.Bytes[i] = 0xF5 // only to have touched it
	}
	clear(work.Bytes[:s.scratch])
	for _, v := range in {
		for i, x := range v.Tensor().Data {
			work.Bytes[i] += x
		}
	}
	for _, v := range out {
		copy(v.Tensor().Data, work.Bytes)
	}
	return nil
}

func (s *sum) Close() error { return nil }

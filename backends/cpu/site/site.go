// Package site is the frame of operators that keep a plan for every call site:
//
//	Prepare ─▶ open ─▶ Plan (shapes of the file, which are upper bounds) ─▶ Needs
//	Run ─────────────▶ Plan (again, unless the file fixes everything) ─▶ Run
package site

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

// Call is the state of one call site. Plan reads and checks the arguments, resizes outputs and lays out the work; Needs is
// asked once, after the first Plan; Run computes. Plan and Run allocate nothing once shapes have settled. What tensors hold
// counts in Run only: Plan is left out while the same static tensors are in the slots.
type Call interface {
	Plan(args []*executor.Value) error
	Needs() []memory.Need
	Run(s *executor.Scope, args []*executor.Value) error
}

// Operator makes an operator from a constructor of its call sites; args have been counted when it is called.
func Operator(sig *arg.Signature, open func(args []*executor.Value) (Call, error)) executor.Op {
	return executor.Op{
		Name: sig.Op,
		Prepare: func(args []*executor.Value) (any, []memory.Need, error) {
			if err := sig.Check(args); err != nil {
				return nil, nil, err
			}
			c, err := open(args)
			if err != nil {
				return nil, nil, err
			}
			if err := c.Plan(args); err != nil {
				return nil, nil, err
			}
			p := &place{call: c}
			p.seen.Settle(sig, args)
			p.seen.Remember(args)
			return p, c.Needs(), nil
		},
		Run: run,
	}
}

func run(s *executor.Scope, state any, args []*executor.Value) error {
	p := state.(*place)
	if !p.seen.Holds(args) {
		p.seen.Forget()
		if err := p.call.Plan(args); err != nil {
			return err
		}
		p.seen.Remember(args)
	}
	return p.call.Run(s, args)
}

// place is a call and what it was planned for.
type place struct {
	call Call
	seen Seen
}

// Plain is Operator for call sites that need no arguments to be made.
func Plain(sig *arg.Signature, open func() Call) executor.Op {
	return Operator(sig, func([]*executor.Value) (Call, error) { return open(), nil })
}

// Need adds a need to a list, unless it is for nothing.
func Need(list []memory.Need, role string, place memory.Place, bytes int) []memory.Need {
	if bytes == 0 {
		return list
	}
	return append(list, memory.Need{Role: role, Place: place, Bytes: uint64(bytes), Align: 64})
}

// Temp is Need for temp memory.
func Temp(role string, bytes int) []memory.Need { return Need(nil, role, memory.Temp, bytes) }

// Packed wants the tensor at i to be in row-major order.
func Packed(sig *arg.Signature, i int, t *executor.Tensor) error {
	if t.IsContiguous() {
		return nil
	}
	return sig.Bad(i, "row-major order", fmt.Sprint("dim order ", append([]uint8{}, t.DimOrder...)))
}

// Sizes describes a tensor's shape in an error.
func Sizes(t *executor.Tensor) string { return "sizes " + arg.List(t.Sizes) }

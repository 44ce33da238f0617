package stream

import "fmt"

// Hazard is a pair of operations that may run at the same time and touch the same bytes, at least one of them writing:
// a wait is missing between them.
type Hazard struct {
	Op, Other    int // indices into [Stream.Ops]; Other was started before
	Access, With Access
}

func (h Hazard) String() string {
	verb := map[bool]string{true: "writes", false: "reads"}
	where := fmt.Sprintf("region %d", h.Access.Region)
	if h.Access.Tables {
		where = "the table memory"
	}
	return fmt.Sprintf("%s %s bytes %d to %d of %s, which %s of an operation that may still run %s", h.Access.Name, verb[h.Access.Write],
		max(h.Access.Lo, h.With.Lo), min(h.Access.Hi, h.With.Hi), where, h.With.Name, verb[h.With.Write])
}

// limits of what runs at the same time: starting one more waits for the oldest.
func limits(p Product) (kernels, transfers int) {
	if p == U85 {
		return 2, 4
	}
	return 2, 2
}

// Hazards follows the waits of the stream and returns the transfers that may overlap kernel operations, or on U85 other
// transfers, in the bytes that they touch. Kernel operations among themselves are ordered by the block dependency.
// Branches are taken as if they fell through. Strided accesses count as all bytes between their first and last.
func (s *Stream) Hazards() []Hazard {
	var list []Hazard
	var kernels, transfers []int
	maxKernels, maxTransfers := limits(s.Accelerator.Product)
	keep := func(running []int, n int) []int { return running[max(len(running)-n, 0):] }
	for i := range s.Ops {
		op := &s.Ops[i]
		switch {
		case op.Kind == DMAWait:
			transfers = keep(transfers, int(op.Param&15))
		case op.Kind == KernelWait:
			kernels = keep(kernels, int(op.Param&3))
		case op.Kind == DMA:
			list = s.conflicts(list, i, kernels)
			if s.Accelerator.Product == U85 {
				list = s.conflicts(list, i, transfers)
			}
			transfers = keep(append(transfers, i), maxTransfers)
		case op.Kernel != nil:
			list = s.conflicts(list, i, transfers)
			kernels = keep(append(kernels, i), maxKernels)
		}
	}
	return list
}

func (s *Stream) conflicts(list []Hazard, op int, running []int) []Hazard {
	if len(running) == 0 {
		return list
	}
	accesses := s.Ops[op].Accesses()
	for _, other := range running {
		for _, b := range s.Ops[other].Accesses() {
			for _, a := range accesses {
				if (a.Write || b.Write) && a.Tables == b.Tables && (a.Tables || a.Region == b.Region) && a.Lo < b.Hi && b.Lo < a.Hi {
					list = append(list, Hazard{op, other, a, b})
				}
			}
		}
	}
	return list
}

package site

import (
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// Seen is what a call site's plan was made for: the plan holds while the same tensors are in the slots, with the same
// sizes, and the same numbers. What the file alone decides is not looked at again. The zero value has seen nothing.
type Seen struct {
	tensors []*executor.Tensor // lists unfolded
	sizes   []int              // of the tensors with dynamic shapes
	numbers []uint64           // kinds and bits of the numbers that the file does not fix
	loose   []int              // the arguments that hold such numbers
	count   int                // of arguments
	made    bool               // there is a plan
	steady  bool               // the file alone decides sizes and numbers
	stays   bool               // the slots hold the same tensors in every run
	fixed   bool               // there is a plan, for good
}

// Steady says whether the file alone decides a call: every tensor has a static shape and every other argument is fixed.
func Steady(sig *arg.Signature, args []*executor.Value) bool {
	for _, v := range args[:len(sig.Names)] {
		switch v.Kind() {
		case executor.KindTensor:
			if dynamic(v.Tensor()) {
				return false
			}
		case executor.KindTensorList, executor.KindOptionalTensorList:
			for _, item := range v.Items() {
				if item != nil && item.Tensor() != nil && dynamic(item.Tensor()) {
					return false
				}
			}
		default:
			if !v.Fixed() {
				return false
			}
		}
	}
	return true
}

// Stay says whether the slots of a call hold the same tensors in every run.
func Stay(sig *arg.Signature, args []*executor.Value) bool {
	for _, v := range args[:len(sig.Names)] {
		if !v.Stays() {
			return false
		}
	}
	return true
}

func dynamic(t *executor.Tensor) bool { return t.Dynamism != 0 }

// Settle looks at a call's arguments for the first time, and says whether they are steady.
func (s *Seen) Settle(sig *arg.Signature, args []*executor.Value) bool {
	s.count, s.steady, s.stays = len(sig.Names), Steady(sig, args), Stay(sig, args)
	for i, v := range args[:s.count] {
		if !s.steady && !v.Fixed() && !holdsTensors(v) {
			s.loose = append(s.loose, i)
		}
	}
	return s.steady
}

// Open says whether the file leaves some number open.
func (s *Seen) Open() bool { return len(s.loose) > 0 }

func holdsTensors(v *executor.Value) bool {
	switch v.Kind() {
	case executor.KindTensor, executor.KindTensorList, executor.KindOptionalTensorList:
		return true
	}
	return false
}

// Remember keeps what a plan was made for.
func (s *Seen) Remember(args []*executor.Value) {
	s.tensors, s.made = s.tensors[:0], true
	for _, v := range args[:s.count] {
		if t := v.Tensor(); t != nil {
			s.tensors = append(s.tensors, t)
			continue
		}
		if holdsTensors(v) {
			for _, item := range v.Items() {
				if item != nil && item.Tensor() != nil {
					s.tensors = append(s.tensors, item.Tensor())
				}
			}
		}
	}
	if s.steady {
		s.fixed = s.stays
		return
	}
	s.sizes, s.numbers = s.sizes[:0], s.numbers[:0]
	for _, t := range s.tensors {
		if dynamic(t) {
			s.sizes = append(s.sizes, t.Sizes...)
		}
	}
	for _, i := range s.loose {
		switch args[i].Kind() {
		case executor.KindString, executor.KindDoubleList, executor.KindBoolList: // one of several, moved here
			s.made = false
		}
		s.numbers = append(s.numbers, uint64(args[i].Kind()), bits(args[i]))
		for _, item := range args[i].Items() {
			s.numbers = append(s.numbers, bits(item))
		}
	}
}

// Forget leaves no plan.
func (s *Seen) Forget() { s.made, s.fixed = false, false }

// Holds says whether the plan holds.
func (s *Seen) Holds(args []*executor.Value) bool { return s.fixed || s.holds(args) }

func (s *Seen) holds(args []*executor.Value) bool {
	return s.Same(args) && (s.steady || s.alike(args))
}

// Same says whether the tensors are those of the plan.
func (s *Seen) Same(args []*executor.Value) bool {
	return s.made && (s.stays || s.same(args))
}

func (s *Seen) same(args []*executor.Value) bool {
	left := s.tensors
	for _, v := range args[:s.count] {
		if t := v.Tensor(); t != nil {
			if len(left) == 0 || left[0] != t {
				return false
			}
			left = left[1:]
			continue
		}
		if holdsTensors(v) {
			for _, item := range v.Items() {
				if item != nil && item.Tensor() != nil {
					if len(left) == 0 || left[0] != item.Tensor() {
						return false
					}
					left = left[1:]
				}
			}
		}
	}
	return len(left) == 0
}

// alike says whether the sizes and the numbers are those of the plan.
func (s *Seen) alike(args []*executor.Value) bool {
	sizes, numbers := s.sizes, s.numbers
	for _, t := range s.tensors {
		if !dynamic(t) {
			continue
		}
		if len(sizes) < len(t.Sizes) {
			return false
		}
		for d, n := range t.Sizes {
			if sizes[d] != n {
				return false
			}
		}
		sizes = sizes[len(t.Sizes):]
	}
	for _, i := range s.loose {
		items := args[i].Items()
		if len(numbers) < 2+len(items) || numbers[0] != uint64(args[i].Kind()) || numbers[1] != bits(args[i]) {
			return false
		}
		for k, item := range items {
			if numbers[2+k] != bits(item) {
				return false
			}
		}
		numbers = numbers[2+len(items):]
	}
	return true
}

// bits tells numbers apart.
func bits(v *executor.Value) uint64 {
	if v.Kind() == executor.KindDouble {
		return math.Float64bits(v.Double())
	}
	return uint64(v.Int())
}

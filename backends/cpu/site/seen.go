package site

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// Seen is what a call site's plan was made for. Where the file alone decides a call, the plan holds while the same tensors
// are in the slots. The zero value has seen nothing.
type Seen struct {
	tensors []*executor.Tensor // lists unfolded; empty: no plan
	count   int                // of arguments
	steady  bool
	stays   bool // the slots hold the same tensors in every run
}

// Steady says whether the file alone decides a call: every tensor has a static shape and every other argument is fixed.
func Steady(sig *arg.Signature, args []*executor.Value) bool {
	for _, v := range args[:len(sig.Names)] {
		switch v.Kind() {
		case executor.KindTensor:
			if v.Tensor().Dynamism != 0 {
				return false
			}
		case executor.KindTensorList, executor.KindOptionalTensorList:
			for _, item := range v.Items() {
				if item != nil && item.Tensor() != nil && item.Tensor().Dynamism != 0 {
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

// Settle looks at a call's arguments for the first time, and says whether they are steady.
func (s *Seen) Settle(sig *arg.Signature, args []*executor.Value) bool {
	s.count, s.steady, s.stays = len(sig.Names), Steady(sig, args), true
	for _, v := range args[:s.count] {
		s.stays = s.stays && v.Stays()
	}
	return s.steady
}

// Remember keeps the tensors that a plan was made for.
func (s *Seen) Remember(args []*executor.Value) {
	s.tensors = s.tensors[:0]
	for _, v := range args[:s.count] {
		if t := v.Tensor(); t != nil {
			s.tensors = append(s.tensors, t)
			continue
		}
		if v.Kind() == executor.KindTensorList || v.Kind() == executor.KindOptionalTensorList {
			for _, item := range v.Items() {
				if item != nil && item.Tensor() != nil {
					s.tensors = append(s.tensors, item.Tensor())
				}
			}
		}
	}
}

// Forget leaves no plan.
func (s *Seen) Forget() { s.tensors = s.tensors[:0] }

// Holds says whether the plan holds.
func (s *Seen) Holds(args []*executor.Value) bool { return s.steady && s.Same(args) }

// Same says whether the tensors are those of the plan.
func (s *Seen) Same(args []*executor.Value) bool {
	return s.stays && len(s.tensors) > 0 || s.same(args)
}

func (s *Seen) same(args []*executor.Value) bool {
	left := s.tensors
	for _, v := range args[:s.count] {
		switch v.Kind() {
		case executor.KindTensor:
			if len(left) == 0 || left[0] != v.Tensor() {
				return false
			}
			left = left[1:]
		case executor.KindTensorList, executor.KindOptionalTensorList:
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

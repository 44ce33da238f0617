package cpu

import "github.com/ptero-rt/ptero/executor"

// intFirst puts a body of its own in front of the prim operators that loops and shapes are made of, for two ints. One
// indirect call instead of three is most of what such an instruction costs.
func intFirst(ops []executor.Op) []executor.Op {
	for i := range ops {
		general := ops[i].Run
		switch ops[i].Name {
		case "executorch_prim::add.Scalar":
			ops[i].Run = func(s *executor.Scope, state any, args []*executor.Value) error {
				if !twoInts(args) {
					return general(s, state, args)
				}
				args[2].SetInt(args[0].Int() + args[1].Int())
				return nil
			}
		case "executorch_prim::sub.Scalar":
			ops[i].Run = func(s *executor.Scope, state any, args []*executor.Value) error {
				if !twoInts(args) {
					return general(s, state, args)
				}
				args[2].SetInt(args[0].Int() - args[1].Int())
				return nil
			}
		case "executorch_prim::mul.Scalar":
			ops[i].Run = func(s *executor.Scope, state any, args []*executor.Value) error {
				if !twoInts(args) {
					return general(s, state, args)
				}
				args[2].SetInt(args[0].Int() * args[1].Int())
				return nil
			}
		case "executorch_prim::eq.Scalar":
			ops[i].Run = func(s *executor.Scope, state any, args []*executor.Value) error {
				if !twoInts(args) {
					return general(s, state, args)
				}
				args[2].SetBool(args[0].Int() == args[1].Int())
				return nil
			}
		case "executorch_prim::lt.Scalar":
			ops[i].Run = func(s *executor.Scope, state any, args []*executor.Value) error {
				if !twoInts(args) {
					return general(s, state, args)
				}
				args[2].SetBool(args[0].Int() < args[1].Int())
				return nil
			}
		case "executorch_prim::ge.Scalar":
			ops[i].Run = func(s *executor.Scope, state any, args []*executor.Value) error {
				if !twoInts(args) {
					return general(s, state, args)
				}
				args[2].SetBool(args[0].Int() >= args[1].Int())
				return nil
			}
		case "executorch_prim::le.Scalar":
			ops[i].Run = func(s *executor.Scope, state any, args []*executor.Value) error {
				if !twoInts(args) {
					return general(s, state, args)
				}
				args[2].SetBool(args[0].Int() <= args[1].Int())
				return nil
			}
		case "executorch_prim::gt.Scalar":
			ops[i].Run = func(s *executor.Scope, state any, args []*executor.Value) error {
				if !twoInts(args) {
					return general(s, state, args)
				}
				args[2].SetBool(args[0].Int() > args[1].Int())
				return nil
			}
		}
	}
	return ops
}

func twoInts(args []*executor.Value) bool {
	return args[0].Kind() == executor.KindInt && args[1].Kind() == executor.KindInt
}

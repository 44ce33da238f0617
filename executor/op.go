package executor

import "github.com/ptero-rt/ptero/memory"

// Op is one operator, named as the file names it: "aten::add.out".
//
// The argument list is the schema's, out arguments included; kernels of aten and the like get the out value once more as
// the last argument (their return slot), prim operators do not.
type Op struct {
	Name string
	// Prepare is called once per call site at Link: it checks what the file decides, picks the variant for dtypes and
	// layouts, packs constant weights and states what the call needs. Only constants have data, only Fixed values have
	// their final content. state goes to Run. Nil means nothing to prepare.
	Prepare func(args []*Value) (state any, needs []memory.Need, err error)
	// PrepareMany gives a Prepare for n call sites of one method, so that their states can lie in one piece: programs have
	// thousands of calls to a few operators. Nil means that Prepare serves them.
	PrepareMany func(n int) func(args []*Value) (state any, needs []memory.Need, err error)
	// Run is the call: it resizes outputs, then writes them. It must not allocate.
	Run func(s *Scope, state any, args []*Value) error
	// Views says that Run gives the last argument no bytes of its own but makes it a view of another (Tensor.View):
	// "executorch_prim::et_view.default". Every other operator may rely on storage behind each tensor argument.
	Views bool
	// Mutates lists arguments, besides the last one, that Run reads and writes, such as a cache that it updates. The first
	// argument of in-place operators ("aten::copy_") is known by their name.
	Mutates []int
	// Fills lists arguments, besides the last one, that Run writes and does not read, if only a slice at a time: 0 for
	// "executorch_prim::et_copy_index.tensor".
	Fills []int
	// ReadsOrigin lists arguments of which the operator reads Tensor.Origin, where they have one, and not the data.
	ReadsOrigin []int
}

// Ops is the set of operators a program may use, by name.
type Ops map[string]Op

// Add puts operators into the set and gives it back.
func (o Ops) Add(list ...Op) Ops {
	for _, op := range list {
		o[op.Name] = op
	}
	return o
}

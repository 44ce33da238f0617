package executor

import (
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// opcode is the kind of a flattened instruction.
type opcode uint8

const (
	opCall     opcode = iota
	opGuarded         // a call, some of whose tensors get their bytes only at run time
	opDelegate        // a delegate call
	opMove
	opJumpFalse
	opFree
)

// instruction is one step of the flattened program.
type instruction struct {
	code   opcode
	target int32 // opJumpFalse: where to go on; opDelegate: index into delegates; opGuarded: number of arguments to look at
	run    func(s *Scope, state any, args []*Value) error
	state  any
	args   []*Value // calls: the arguments; opMove: from, to; opJumpFalse: condition; opFree: tensor
}

// Linked is a method of a program whose every name is resolved and whose calls are prepared; it holds no memory of a
// board. It backs one Method at a time. Input, Output and Demand may be read by several goroutines.
type Linked struct {
	config  Config
	program *pte.Program
	plan    *pte.Plan
	index   int // of the plan

	values    []Value
	tensors   []Tensor
	planned   []planned
	plannedAt []int32 // by value: index into planned, −1 for tensors that are not
	arenas    []arena
	stateful  []int32 // planned values with initial content in the file or in external data
	unbound   []int32 // values whose storage Run allocates
	homeless  []int32 // values without any storage in the file
	adopted   []int32 // those of them for which Bind makes storage, zeroed and kept from run to run
	viewing   []int32 // those of them that views and moves give bytes
	constants [][]byte
	initial   [][]byte // by index into stateful, little-endian
	code      []instruction
	starts    []int // first instruction of each chain
	delegates []Delegate
	arities   []Arity
	calls     []memory.Call
	touches   []touch     // by value
	firstAt   []int32     // by value: 1 + the first instruction that names it; 0 for inputs
	forms     map[int]int // by instruction: which form of scratch a delegate call has
	label     *Label      // of planned scratch, where the file has one
	ops       []*Op       // by operator of the plan; nil where missing

	once  sync.Once
	times *lifetimes

	bound  bool
	closed bool
}

// linker is what Link needs beside the result.
type linker struct {
	*Linked
	problems
	dims    []int
	arenaOf []int32
	names   map[string][]byte
	uses    map[int32][]int32  // instructions that name a value
	file    []*pte.Instruction // by index in the flattened program
}

// Link resolves a method of a program that pte.Parse made, and so checked; "" stands for the first method. Everything that
// is missing or wrong comes back in one error: missing operators and backends wrap ErrMissing, missing data ErrNoData,
// with the instructions that want them. The program must stay as it is while anything linked from it is in use.
func Link(p *pte.Program, method string, c Config) (*Linked, error) {
	index := -1
	for i := range p.Plans {
		if p.Plans[i].Name == method || method == "" {
			index = i
			break
		}
	}
	if index < 0 {
		var names []string
		for i := range p.Plans {
			names = append(names, p.Plans[i].Name)
		}
		return nil, fault.New(fault.InvalidArgument, "method", fmt.Sprintf("one of %q", names), fmt.Sprintf("%q", method))
	}
	l := &linker{Linked: &Linked{config: c, program: p, plan: &p.Plans[index], index: index}}
	if l.config.Budget == 0 {
		l.config.Budget = DefaultBudget
	}
	l.link()
	if err := l.err(); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l.Linked, nil
}

func (l *linker) link() {
	l.arenaOf = make([]int32, len(l.plan.BufferBytes))
	for id, n := range l.plan.BufferBytes {
		if id > 0 && n > 0 {
			l.arenaOf[id] = int32(len(l.arenas))
			l.arenas = append(l.arenas, arena{uint32(id), n})
		}
	}
	l.checkData()
	l.buildTable()
	l.readInitial()
	l.flatten()
	l.checkIO()
	sound := len(l.list) == 0 // preparing a call relies on sound values
	ops := l.resolveOperators()
	l.ops = ops
	l.initDelegates()
	if sound {
		l.readTouches()
		l.checkMoves()
		l.checkStorage(ops)
		l.prepare(ops)
	}
}

// resolveOperators looks every operator of the plan up once.
func (l *linker) resolveOperators() []*Op {
	ops := make([]*Op, len(l.plan.Operators))
	store := make([]Op, len(ops))
	missing := false
	for i, o := range l.plan.Operators {
		if op, ok := l.config.Ops[o.FullName()]; ok && op.Run != nil {
			store[i] = op
			ops[i] = &store[i]
		} else {
			missing = true
		}
	}
	if missing {
		for i, at := range l.users(pte.CallKernel, len(ops)) {
			if ops[i] == nil && len(at) > 0 {
				l.list = append(l.list, &fault.Error{Path: fmt.Sprintf("%s.operators[%d]", l.path(), i), Rule: "operator_missing", Code: fault.OperatorMissing,
					Err: ErrMissing, Want: fmt.Sprintf("operator %s for instructions %v", l.plan.Operators[i].FullName(), at)})
			}
		}
	}
	return ops
}

// users gives, for each operator or delegate, the instructions that call it.
func (l *linker) users(op pte.Opcode, n int) [][]int {
	at := make([][]int, n)
	index := 0
	for c := range l.plan.Chains {
		for k := range l.plan.Chains[c].Instructions {
			if in := &l.plan.Chains[c].Instructions[k]; in.Op == op {
				at[in.Target] = append(at[in.Target], index)
			}
			index++
		}
	}
	return at
}

// initDelegates lets each backend read its blobs.
func (l *linker) initDelegates() {
	if len(l.plan.Delegates) == 0 {
		return
	}
	users := l.users(pte.CallDelegate, len(l.plan.Delegates))
	l.delegates = make([]Delegate, len(l.plan.Delegates))
	l.arities = make([]Arity, len(l.plan.Delegates))
	for i := range l.plan.Delegates {
		d := &l.plan.Delegates[i]
		path := fmt.Sprintf("%s.delegates[%d]", l.path(), i)
		b := l.config.backend(d.ID)
		if b == nil {
			l.list = append(l.list, &fault.Error{Path: path, Rule: "backend_missing", Code: fault.NotFound, Err: ErrMissing,
				Want: fmt.Sprintf("backend %s for instructions %v", d.ID, users[i])})
			continue
		}
		dg, err := initDelegate(b, Blob{Bytes: d.Blob, Specs: d.Specs, Named: l.named, Method: l.plan.Name, Delegate: i, Calls: len(users[i])})
		if err != nil {
			l.add(fault.Under(path+" "+d.ID, err))
			continue
		}
		l.delegates[i], l.arities[i] = dg, dg.Arity()
	}
}

func initDelegate(b Backend, blob Blob) (d Delegate, err error) {
	defer recovered(&err)
	return b.Init(blob)
}

// recovered turns a run-time panic of a call (an index out of range on an argument list that no exporter makes) into an
// error. Other panics are ours, and go on.
func recovered(err *error) {
	switch p := recover().(type) {
	case nil:
	case runtime.Error:
		*err = fault.New(fault.InvalidProgram, "", "arguments that the call can take", p.Error())
	default:
		panic(p)
	}
}

// named finds a delegate's named data: external files first, then the program's own.
func (l *linker) named(key string) ([]byte, bool) {
	for _, m := range l.config.Data {
		if e, ok := m.Find(key); ok {
			return e.Bytes, true
		}
	}
	if l.names == nil {
		l.names = make(map[string][]byte, len(l.program.NamedData))
		for _, n := range l.program.NamedData {
			l.names[n.Key] = n.Bytes
		}
	}
	b, ok := l.names[key]
	return b, ok
}

// flatten lays the chains end to end and makes the argument lists.
func (l *linker) flatten() {
	n, args := 0, 0
	for c := range l.plan.Chains {
		in := l.plan.Chains[c].Instructions
		n += len(in)
		for k := range in {
			args += max(len(in[k].Args), 2)
		}
	}
	l.code = make([]instruction, n)
	l.starts = make([]int, 0, len(l.plan.Chains))
	slots := make([]*Value, args)
	start := 0
	for c := range l.plan.Chains {
		l.starts = append(l.starts, start)
		list := l.plan.Chains[c].Instructions
		for k := range list {
			in, out := &list[k], &l.code[start+k]
			switch in.Op {
			case pte.CallKernel, pte.CallDelegate:
				if out.code = opCall; in.Op == pte.CallDelegate {
					out.code, out.target = opDelegate, in.Target
				}
				for j, v := range in.Args {
					slots[j] = &l.values[v]
				}
				n = len(in.Args)
			case pte.Move:
				out.code = opMove
				slots[0], slots[1] = &l.values[in.From], &l.values[in.To]
				n = 2
			case pte.JumpFalse:
				out.code, out.target = opJumpFalse, int32(start)+in.Target
				slots[0] = &l.values[in.From]
				n = 1
			case pte.Free:
				out.code = opFree
				slots[0] = &l.values[in.From]
				n = 1
			}
			out.args, slots = slots[:n:n], slots[n:]
		}
		start += len(list)
	}
}

// Close lets go of the delegates. A bound method closes its Linked itself.
func (l *Linked) Close() error {
	if l.closed {
		return nil
	}
	l.closed = true
	var list []error
	for _, d := range l.delegates {
		if d != nil {
			list = append(list, d.Close())
		}
	}
	return errors.Join(list...)
}

// Method is the name of the linked method.
func (l *Linked) Method() string { return l.plan.Name }

// Instructions is the number of instructions, all chains together.
func (l *Linked) Instructions() int { return len(l.code) }

// NumInputs is the number of inputs.
func (l *Linked) NumInputs() int { return len(l.plan.Inputs) }

// NumOutputs is the number of outputs.
func (l *Linked) NumOutputs() int { return len(l.plan.Outputs) }

// Input gives the slot of input i: its kind, dtype and shape (upper bounds where shapes are dynamic).
func (l *Linked) Input(i int) *Value { return &l.values[l.plan.Inputs[i]] }

// Output gives the slot of output i.
func (l *Linked) Output(i int) *Value { return &l.values[l.plan.Outputs[i]] }

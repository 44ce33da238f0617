package executor

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// Method is a linked method with its memory: it can run. One goroutine uses it at a time; a call made while it runs gets
// ErrBusy, and Close waits for the run to end.
type Method struct {
	linked *Linked
	hold   *memory.Holding
	scope  Scope
	clock  hal.Clock
	tracer Tracer

	mu         sync.Mutex // held during every call that changes the method
	pc         int        // the next instruction
	entered    bool       // the memory is ours: during a run, and between steps
	done       bool       // stepped to the end
	closed     bool
	stuck      int32          // the delegate whose device did not finish
	outcome    memory.Outcome // of a run that succeeds
	generation uint64
	inputs     []input
	again      []*input // those that every run sets
	unset      int      // inputs without a value
	outputs    []output
	saved      []saved
}

// saved is the content of a slot at Bind that instructions overwrite; a run that stops half-way puts it back.
type saved struct {
	slot  *Value
	value Value
}

// Run runs all instructions once. Inputs must have been set; they keep their setting for later runs. A run that fails
// leaves the method usable: the next Run starts afresh, with mutable buffers as the failed run left them.
//
// It returns ErrBusy if the method is running, an error of ctx when that ends, ErrBudget when the instruction budget is
// used up, and otherwise what a call reported, with its place. It allocates nothing.
func (m *Method) Run(ctx context.Context) (err error) {
	if !m.mu.TryLock() {
		return m.busy()
	}
	defer m.unlock(&err)
	if m.entered {
		return m.halfway()
	}
	m.pc, m.done = 0, false
	if err := m.enter(ctx); err != nil {
		return err
	}
	err = m.loop(ctx, m.linked.config.Budget)
	if err == nil && m.pc < len(m.linked.code) {
		err = m.endless()
	}
	return m.leave(err)
}

// Step runs one instruction. Past the last one it returns an error with the code EndOfMethod, until Reset or Run.
func (m *Method) Step(ctx context.Context) (err error) {
	if !m.mu.TryLock() {
		return m.busy()
	}
	defer m.unlock(&err)
	if m.done {
		return fault.New(fault.EndOfMethod, m.linked.path(), "an instruction to run (Reset goes back to the start)", "the end")
	}
	if !m.entered {
		m.pc = 0
		if err := m.enter(ctx); err != nil {
			return err
		}
	}
	m.scope.ctx = ctx
	err = m.loop(ctx, 1)
	if err != nil || m.pc == len(m.linked.code) {
		m.done = err == nil
		return m.leave(err)
	}
	return nil
}

// Done says whether a stepped run has reached its end.
func (m *Method) Done() bool { return m.done }

// Next is the index of the instruction that Step will run.
func (m *Method) Next() int { return m.pc }

// Reset abandons a stepped run: the next Step or Run begins at the start.
func (m *Method) Reset() error {
	if !m.mu.TryLock() {
		return m.busy()
	}
	defer m.mu.Unlock()
	if m.entered {
		m.leave(nil)
	}
	m.restore()
	m.pc, m.done = 0, false
	return nil
}

func (m *Method) busy() error {
	return &fault.Error{Path: m.linked.path(), Code: fault.InvalidState, Err: ErrBusy}
}

func (m *Method) halfway() error {
	return fault.New(fault.InvalidState, m.linked.path(), "a method at its start (Reset ends a stepped run)", fmt.Sprintf("one at %s", m.linked.instructionPath(m.pc)))
}

func (m *Method) endless() error {
	return &fault.Error{Path: m.linked.instructionPath(m.pc), Code: fault.InvalidProgram, Err: ErrBudget,
		Want: fmt.Sprintf("the end within %d instructions", m.linked.config.Budget)}
}

func (m *Method) incomplete() error {
	i := slices.IndexFunc(m.inputs, func(in input) bool { return !in.set })
	return fault.New(fault.InvalidArgument, fmt.Sprintf("%s.inputs[%d]", m.linked.path(), i), "every input to be set", "one that is not")
}

// enter takes the memory for a run and copies inputs to where the plan wants them.
func (m *Method) enter(ctx context.Context) error {
	if m.closed {
		return &fault.Error{Path: m.linked.path(), Code: fault.InvalidState, Err: ErrClosed}
	}
	if m.unset > 0 {
		return m.incomplete()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := m.hold.Enter(ctx); err != nil {
		if err = m.retake(ctx, err); err != nil {
			return err
		}
	}
	m.entered = true
	if g := m.hold.Generation(); g != m.generation {
		if err := m.rebind(); err != nil {
			return m.leave(err)
		}
	}
	m.scope.ctx = ctx
	m.scope.Reset()
	for _, in := range m.again {
		in.copyIn()
	}
	return nil
}

// leave ends a run, however it went.
func (m *Method) leave(err error) error {
	m.entered = false
	m.scope.ctx = context.Background()
	if err == nil {
		m.hold.Leave(m.outcome)
		return nil
	}
	if errors.Is(err, ErrDeviceBusy) {
		m.stuck = m.linked.code[m.pc].target
		m.hold.Leave(memory.Quarantined)
	} else {
		m.hold.Leave(memory.Released)
	}
	m.restore()
	m.pc = 0
	return err
}

func (m *Method) restore() {
	for i := range m.saved {
		*m.saved[i].slot = m.saved[i].value
	}
}

// loop runs at most n instructions from pc on.
func (m *Method) loop(ctx context.Context, n int) (err error) {
	l, s, pc := m.linked, &m.scope, m.pc
	code, done := l.code, ctx.Done()
	for ; n > 0 && pc < len(code); n-- {
		if done != nil {
			select {
			case <-done:
				m.pc = pc
				return l.at(pc, ctx.Err())
			default:
			}
		}
		m.pc = pc
		var begin uint64
		if m.tracer != nil {
			begin = m.clock.Now()
		}
		in, at := &code[pc], pc
		pc++
		switch in.code {
		case opCall:
			err = in.run(s, in.state, in.args)
			s.temp.used, s.fast.used = 0, 0
		case opDelegate:
			err = l.delegates[in.target].Execute(s, in.args)
			s.temp.used, s.fast.used = 0, 0
		case opMove:
			from, to := in.args[0], in.args[1]
			to.kind, to.bits, to.tensor, to.list = from.kind, from.bits, from.tensor, from.list
		case opJumpFalse:
			var yes bool
			if c := in.args[0]; c.kind == KindBool {
				yes = c.bits != 0
			} else {
				yes, err = truth(c)
			}
			if !yes {
				pc = int(in.target)
			}
		case opFree:
			in.args[0].free()
		case opGuarded:
			if err = guard(in); err == nil {
				err = in.run(s, in.state, in.args)
			}
			s.temp.used, s.fast.used = 0, 0
		}
		if err != nil {
			return l.at(at, err)
		}
		if m.tracer != nil {
			m.tracer.Instruction(at, begin, m.clock.Now())
		}
	}
	m.pc = pc
	return nil
}

// unlock ends a Run or a Step, and turns a run-time panic of a call into an error at its instruction. Prepared calls do
// not panic on sound programs; a hand-made one can still make a slot hold what its call does not expect.
func (m *Method) unlock(err *error) {
	if !m.entered { // no call panicked
		m.mu.Unlock()
		return
	}
	defer m.mu.Unlock()
	p := recover()
	if p == nil {
		return // between steps
	}
	wrong, ok := p.(runtime.Error)
	if !ok {
		panic(p)
	}
	*err = m.leave(m.linked.at(m.pc, fault.New(fault.InvalidProgram, "", "values that the call can take", wrong.Error())))
}

// truth is the condition of a jump that is not a plain bool: a bool tensor is true if every element is.
func truth(v *Value) (bool, error) {
	t := v.Tensor()
	if t == nil || t.DType != pte.Bool {
		found := v.Kind().String()
		if t != nil {
			found = t.DType.String() + " tensor"
		}
		return false, fault.New(fault.InvalidProgram, "", "a bool or a bool tensor as condition", found)
	}
	if len(t.Data) < t.NBytes() {
		return false, fault.New(fault.InvalidState, "", "a condition with data", "none")
	}
	for _, b := range t.Data {
		if b == 0 {
			return false, nil
		}
	}
	return true, nil
}

// free empties an unbounded tensor. Its storage stays for the next run; planned bytes are not the tensor's to free.
func (v *Value) free() {
	if t := v.Tensor(); t != nil && t.grows && len(t.Sizes) > 0 {
		clear(t.Sizes)
		t.restride()
		t.Data = nil
	}
}

// guard checks that the bytes of all arguments are there, as far as the call does not make them itself.
func guard(in *instruction) error {
	for i, v := range in.args[:in.target] {
		if err := guardValue(v); err != nil {
			return fault.Under(fmt.Sprintf("args[%d]", i), err)
		}
		for _, item := range v.Items() {
			if item != nil {
				if err := guardValue(item); err != nil {
					return fault.Under(fmt.Sprintf("args[%d]", i), err)
				}
			}
		}
	}
	return nil
}

func guardValue(v *Value) error {
	if t := v.Tensor(); t != nil && len(t.Data) < t.NBytes() {
		return fault.New(fault.InvalidState, "", "a tensor with data", "none yet")
	}
	return nil
}

// Close gives back all memory and closes the delegates. It waits for a run to end; a second Close does nothing.
func (m *Method) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil
	}
	if m.entered {
		m.leave(nil)
	}
	m.closed = true
	return errors.Join(m.linked.Close(), m.hold.Release())
}

// Closed says whether the method was closed.
func (m *Method) Closed() bool {
	if !m.mu.TryLock() {
		return false // it runs
	}
	defer m.mu.Unlock()
	return m.closed
}

// Linked is what the method was bound from.
func (m *Method) Linked() *Linked { return m.linked }

// TempPeak is the largest number of bytes that one instruction took from the temp arena so far.
func (m *Method) TempPeak() uint64 { return m.scope.temp.peak }

// FastPeak is TempPeak for the fast scratch.
func (m *Method) FastPeak() uint64 { return m.scope.fast.peak }

// GrownBytes is the storage that unbounded tensors have taken outside the arenas.
func (m *Method) GrownBytes() uint64 {
	n := uint64(0)
	for _, v := range m.linked.unbound {
		n += uint64(cap(m.linked.values[v].tensor.full))
	}
	return n
}

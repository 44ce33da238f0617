package executor

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// Fit says where the method's memory would lie on the board of the space. It touches no device and holds nothing. All
// violations come in one error; the layout comes with it, for reports.
func (l *Linked) Fit(space *memory.Space) (*memory.Layout, error) {
	layout, err := space.Fit(l.Outline())
	return layout, errors.Join(err, l.FitBoard(space.Board()))
}

// FitBoard asks the delegates whether the board has what they need: product, memory mode, visibility.
func (l *Linked) FitBoard(b hal.Board) error {
	var p problems
	for i, d := range l.delegates {
		if f, ok := d.(Fitter); ok {
			p.add(fault.Under(fmt.Sprintf("%s.delegates[%d] %s", l.path(), i, l.plan.Delegates[i].ID), f.FitBoard(b)))
		}
	}
	return p.err()
}

// Bind takes the memory of a layout that Fit made for this method alone and makes the method ready to run: values get their
// bytes, mutable buffers their initial content. A Linked is bound at most once at a time.
func (l *Linked) Bind(space *memory.Space, layout *memory.Layout) (*Method, error) {
	return l.BindAt(space, layout, 0)
}

// BindAt is Bind for a layout of several demands: demand is this method's place among them.
func (l *Linked) BindAt(space *memory.Space, layout *memory.Layout, demand int) (*Method, error) {
	switch {
	case l.closed:
		return nil, &fault.Error{Path: l.path(), Code: fault.InvalidState, Err: ErrClosed}
	case l.bound:
		return nil, fault.New(fault.InvalidState, l.path(), "a method that is not bound yet", "one that is")
	}
	hold, err := space.Take(layout, demand)
	if err != nil {
		return nil, err
	}
	m := &Method{linked: l, hold: hold, clock: space.Board().Clock()}
	m.scope = Scope{board: space.Board(), workers: l.config.Workers, ctx: context.Background()}
	if err := m.bind(); err != nil {
		return nil, errors.Join(err, hold.Release())
	}
	l.bound = true
	return m, nil
}

func (m *Method) bind() error {
	l := m.linked
	if err := m.writeState(); err != nil {
		return err
	}
	m.bindOutputs()
	m.bindInputs()
	for _, v := range l.adopted {
		l.values[v].tensor.own()
	}
	for _, v := range l.unbound {
		if !l.isInput(v) {
			l.values[v].tensor.own()
		}
	}
	for v, t := range l.touches {
		if t.has(moved) || t.has(written) && l.values[v].tensor == nil {
			m.saved = append(m.saved, saved{&l.values[v], l.values[v]})
		}
	}
	return m.rebind()
}

// rebind points planned tensors at the bytes that the method holds now. Under strategies that lease, most have none
// between runs.
func (m *Method) rebind() error {
	l := m.linked
	whole := make([]hal.Region, len(l.arenas))
	for i, a := range l.arenas {
		whole[i], _ = m.hold.Arena(a.memID)
	}
	all := true
	for i := range l.planned {
		p := &l.planned[i]
		if r := &whole[p.arena]; r.Bytes != nil {
			p.tensor.setBytes(r.Bytes[p.offset:][:p.bytes:p.bytes], r.Addr+p.offset, r.Pool)
			continue
		}
		r, ok := m.hold.Slice(l.arenas[p.arena].memID, p.offset, uint64(p.bytes))
		switch {
		case ok:
			p.tensor.setStorage(r)
		case m.entered && p.bytes > 0:
			return fault.New(fault.MemoryAllocationFailed, l.valuePath(int(p.value)), "bytes in one piece", "bytes that persistent state cuts")
		default:
			all = false
		}
	}
	for _, v := range l.viewing {
		l.values[v].tensor.Data = nil // what it showed may have moved
	}
	m.scope.temp.region, m.scope.fast.region = m.hold.Temp(), m.hold.Fast()
	if all || m.entered {
		m.generation = m.hold.Generation()
	}
	return nil
}

// own gives a tensor that the file does not plan storage of its own: all of it now, or, where the shape is dynamic, what
// it needs when it needs it.
func (t *Tensor) own() {
	if t.Dynamism == pte.Static || len(t.Sizes) == 0 {
		t.setStorage(hal.Region{Bytes: alignedBytes(t.NBytes()), Pool: hal.NoPool})
		return
	}
	t.grows, t.limit = true, min(t.limit, maxGrown/t.DType.Size())
	clear(t.Sizes)
	t.restride()
}

// setStorage gives a tensor its bytes, as many as its bound.
func (t *Tensor) setStorage(r hal.Region) { t.setBytes(r.Bytes, r.Addr, r.Pool) }

func (t *Tensor) setBytes(b []byte, addr uint64, pool hal.PoolID) {
	t.full, t.Addr, t.Pool = b, addr, pool
	t.Data = b[:min(t.NBytes(), len(b))]
}

// writeState gives mutable buffers their initial content, in the host's byte order. Buffers shared with a method that
// was bound before keep what they have.
func (m *Method) writeState() error {
	l := m.linked
	for i, v := range l.stateful {
		if l.plannedAt[v] < 0 {
			continue
		}
		p := &l.planned[l.plannedAt[v]]
		if m.hold.Joined(l.arenas[p.arena].memID) {
			continue
		}
		r, ok := m.hold.Slice(l.arenas[p.arena].memID, p.offset, uint64(p.bytes))
		if !ok {
			return fault.New(fault.MemoryAllocationFailed, l.valuePath(int(v)), "persistent bytes in one piece", "bytes that are not held")
		}
		copy(r.Bytes, l.initial[i])
		if bigEndian {
			swap(r.Bytes, componentSize(p.tensor.DType))
		}
	}
	return nil
}

func (m *Method) bindInputs() {
	l := m.linked
	moves := slices.ContainsFunc(l.touches, func(t touch) bool { return t.has(moved) }) // an input may go by another value's name
	for _, v := range l.plan.Inputs {
		in := input{value: &l.values[v]}
		if t := in.value.Tensor(); t != nil {
			in.tensor, in.planned, in.limit, in.sizes = t, l.plan.Values[v].Tensor.Alloc != nil, t.limit, make([]int, len(t.Sizes))
		}
		in.set = l.plan.Values[v].Kind == pte.KindNull
		if !in.set {
			m.unset++
		}
		in.once = in.tensor == nil || !in.planned && in.tensor.Dynamism == pte.Static && !moves && !l.touches[v].has(written)
		m.inputs = append(m.inputs, in)
	}
	for i := range m.inputs {
		if !m.inputs[i].once {
			m.again = append(m.again, &m.inputs[i])
		}
	}
}

// bindOutputs gives outputs that the file does not plan storage of the method's own, so that callers need not bring any.
func (m *Method) bindOutputs() {
	l := m.linked
	for _, v := range l.plan.Outputs {
		out := output{value: &l.values[v], tensor: l.values[v].Tensor()}
		if t := out.tensor; t != nil {
			homeless := slices.Contains(l.homeless, v) && !l.isInput(v) // an input's bytes come back
			switch {
			case homeless:
				t.own()
				out.storage, out.grows = t.full, t.grows
			case t.grows:
				out.grows = true
			}
		}
		if out.tensor != nil && l.plan.Values[v].Tensor.Alloc != nil {
			m.outcome = memory.Pinned // planned outputs outlive a run
		}
		m.outputs = append(m.outputs, out)
	}
}

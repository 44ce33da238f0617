package plan

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/memory/pack"
	"github.com/ptero-rt/ptero/pte"
)

// Options say what a better plan is.
type Options struct {
	// AliasIO lays inputs and outputs of delegates inside their scratch where that is legal and costs nothing. Where the
	// file has some laid so already, it is on.
	AliasIO   bool
	Strip     bool // take planned delegate scratch out again instead of putting it in
	Pins      []Pin
	Objective pack.Objective // what is made least; with one pool it is the height in any case
}

// Pin keeps buffers in a pool: all delegate scratch, or what the file has in one arena.
type Pin struct {
	Scratch bool
	MemID   uint32 // where Scratch is false
	Pool    string
}

// Result is a program with its new plan, and the figures before and after.
type Result struct {
	Program *pte.Program // a copy; constants and blobs are windows into the original, which must outlive it
	Report  Report
	Notes   []string // what the user has to know, for instance mem_ids that the board profile must map
	methods []*method
	pools   *pools
}

// File gives the program with its new plan as a file. Planning that file again gives the same bytes.
func (r *Result) File() ([]byte, error) {
	b, err := pte.Rewrite(r.Program)
	// A reader takes the alignment of payloads from where they lie, which may by chance be more than what was asked for. It
	// never becomes less, so writing again what was read comes to an end.
	for err == nil {
		var p *pte.Program
		var again []byte
		if p, err = pte.Parse(b); err == nil {
			again, err = pte.Rewrite(p)
		}
		if bytes.Equal(b, again) {
			break
		}
		b = again
	}
	return b, err
}

// Make plans all methods of a program for a board. linked are its methods in file order, freshly linked and not bound;
// they are not changed. The same program, board and options give the same result, and a result planned again stays as it is.
func Make(p *pte.Program, linked []*executor.Linked, b hal.Board, o Options) (*Result, error) {
	if len(p.Unknown) > 0 {
		return nil, &fault.Error{Path: p.Unknown[0], Code: fault.NotSupported, Want: "a program whose every field is known, to be written again", Found: fmt.Sprintf("%d unknown fields", len(p.Unknown))}
	}
	if len(linked) != len(p.Plans) {
		return nil, fault.New(fault.InvalidArgument, "plan", fmt.Sprintf("%d linked methods", len(p.Plans)), fmt.Sprint(len(linked)))
	}
	pools, err := newPools(b, linked, o)
	if err != nil {
		return nil, err
	}
	r := &Result{Program: p.Clone(), Notes: pools.notes, pools: pools}
	var errs []error
	for i, l := range linked {
		m, note, err := solve(p, i, l, pools, o)
		if err != nil {
			errs = append(errs, fault.Under(fmt.Sprintf("plan[%d] %s", i, l.Method()), err))
			continue
		}
		if note != "" {
			r.Notes = append(r.Notes, l.Method()+": "+note)
		}
		r.methods = append(r.methods, m)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	for _, m := range r.methods {
		if err := m.write(r.Program, pools); err != nil {
			return nil, err
		}
		if err := m.verify(&r.Program.Plans[m.index]); err != nil {
			panic(fmt.Sprintf("BUG: the plan of method %s does not hold: %v", m.linked.Method(), err))
		}
	}
	r.Report = report(r.methods, pools)
	return r, nil
}

// solve plans one method. Scratch in the temp arena lies on what operators want of it in other calls; where that saves more
// than planned scratch saves, it stays there, unless it is pinned.
func solve(p *pte.Program, index int, l *executor.Linked, pools *pools, o Options) (m *method, note string, err error) {
	start := time.Now()
	defer func() {
		if m != nil {
			m.took = time.Since(start)
		}
	}()
	m = newMethod(p, index, l)
	if err := m.solve(pools, o); err != nil {
		return nil, "", err
	}
	if o.Strip || !m.operatorsWantTemp() || len(m.trailing) > 0 || slices.ContainsFunc(o.Pins, func(p Pin) bool { return p.Scratch }) {
		return m, "", nil
	}
	hidden := newMethod(p, index, l)
	o.Strip = true
	if err := hidden.solve(pools, o); err == nil {
		if with, without := sum(m.after(pools)), sum(hidden.after(pools)); without < with {
			return hidden, fmt.Sprintf("delegate scratch stays in the temp arena, where operators need %d B more than planning it saves", with-without), nil
		}
	}
	return m, "", nil
}

// method is one method while it is planned.
type method struct {
	linked   *executor.Linked
	index    int // of the plan in the program
	file     *pte.Plan
	demand   memory.Demand
	calls    []executor.DelegateCall
	trailing map[int]bool // values that are scratch of delegates in the file
	kept     int          // length of the file's value table without such scratch at its end: later values are new
	aliased  bool         // the file lays arguments inside scratch

	items   []item // what moves
	aliases []alias
	plan    *pack.Plan
	took    time.Duration
}

func newMethod(p *pte.Program, index int, l *executor.Linked) *method {
	m := &method{linked: l, index: index, file: &p.Plans[index], demand: l.Demand(), calls: l.DelegateCalls(), trailing: map[int]bool{}}
	for i := range m.calls {
		for _, v := range m.calls[i].Args[own(&m.calls[i]):] {
			m.trailing[int(v)] = true
		}
	}
	for m.kept = len(m.file.Values); m.kept > 0 && m.trailing[m.kept-1]; m.kept-- {
	}
	if label, err := executor.ReadLabel(p, index); err == nil && label != nil {
		m.aliased = len(label.Aliases) > 0
	}
	return m
}

// solve chooses a pool and an offset for every buffer of the method.
func (m *method) solve(pools *pools, o Options) error {
	m.collect()
	if !o.Strip {
		if err := m.expose(pools); err != nil {
			return err
		}
	}
	if err := m.constrain(pools, o.Pins); err != nil {
		return err
	}
	buffers, list := m.buffers(), pools.beside(m)
	var err error
	if m.plan, err = assign(buffers, list, o); err != nil {
		return shortage(buffers, list, err)
	}
	if o.AliasIO || m.aliased {
		m.alias(pools, o)
	}
	return nil
}

// assign is pack.Assign, quicker where there is only one pool to choose.
func assign(buffers []pack.Buffer, pools []pack.Pool, o Options) (*pack.Plan, error) {
	if len(pools) == 1 {
		if p, err := pack.Place(buffers, pack.Options{}); err == nil && p.Height <= pools[0].Capacity {
			return &pack.Plan{Pool: make([]int, len(buffers)), Offsets: p.Offsets, Pools: []pack.Placement{*p}}, nil
		}
	}
	return pack.Assign(buffers, pools, pack.Options{Objective: o.Objective})
}

// shared says whether an arena holds state that methods share by name: it stays where it is.
func (m *method) shared(memID uint32) bool {
	return slices.ContainsFunc(m.demand.Arenas, func(a memory.Arena) bool { return a.MemID == memID && a.Share != "" })
}

package plan

import (
	"errors"
	"fmt"
	"time"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/memory/pack"
	"github.com/ptero-rt/ptero/pte"
)

// Options say what a better plan is. The zero value packs as low as possible, nearest pools first, and keeps copies.
type Options struct {
	AliasIO   bool // lay inputs and outputs of delegates inside their scratch where that is legal and costs nothing
	Strip     bool // take planned delegate scratch out again instead of putting it in
	Pins      []Pin
	Objective pack.Objective // Height unless set: see pack
}

// Pin keeps buffers in a pool: all delegate scratch, or what the file has in one arena.
type Pin struct {
	Scratch bool
	MemID   uint32 // where Scratch is false
	Pool    string
}

// Result is a program with its new plan, and the figures before and after.
type Result struct {
	Program *pte.Program // a copy; constants and blobs are windows into the original
	Report  Report
	Notes   []string // what the user has to know, for instance mem_ids that the board profile must map
	methods []*method
}

// method is one method while it is planned.
type method struct {
	linked  *executor.Linked
	index   int // of the plan in the program
	demand  memory.Demand
	calls   []executor.DelegateCall
	items   []item // what moves
	aliases []alias
	plan    *pack.Plan
	// fileValues is the length of the file's value table: later values are new.
	fileValues int
	took       time.Duration
}

// Make plans all methods of a program for a board. linked are its methods in file order, freshly linked and not bound;
// they are not changed.
func Make(p *pte.Program, linked []*executor.Linked, b hal.Board, o Options) (*Result, error) {
	if len(p.Unknown) > 0 {
		return nil, &fault.Error{Path: p.Unknown[0], Code: fault.NotSupported, Want: "a program whose every field is known, to be written again", Found: fmt.Sprintf("%d unknown fields", len(p.Unknown))}
	}
	if len(linked) != len(p.Plans) {
		return nil, fault.New(fault.InvalidArgument, "plan", fmt.Sprintf("%d linked methods", len(p.Plans)), fmt.Sprint(len(linked)))
	}
	r := &Result{Program: p.Clone()}
	pools, err := newPools(b, linked, o)
	if err != nil {
		return nil, err
	}
	var errs []error
	for i, l := range linked {
		m := &method{linked: l, index: i, demand: l.Demand(), calls: l.DelegateCalls(), fileValues: len(p.Plans[i].Values)}
		if err := m.solve(p, pools, o); err != nil {
			errs = append(errs, fault.Under(fmt.Sprintf("plan[%d] %s", i, l.Method()), err))
			continue
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
		if err := m.verify(&p.Plans[m.index], &r.Program.Plans[m.index]); err != nil {
			return nil, fmt.Errorf("BUG: the plan of method %s does not hold: %w", m.linked.Method(), err)
		}
	}
	r.Notes = pools.notes
	r.Report = report(r.methods, pools)
	return r, nil
}

// solve chooses a pool and an offset for every buffer of the method.
func (m *method) solve(p *pte.Program, pools *pools, o Options) error {
	start := time.Now()
	defer func() { m.took = time.Since(start) }()
	if err := m.collect(&p.Plans[m.index], pools, o); err != nil {
		return err
	}
	m.recognise()
	plan, err := pack.Assign(m.buffers(), pools.list, pack.Options{Objective: o.Objective})
	if err != nil {
		return err
	}
	m.plan = plan
	if o.AliasIO && !o.Strip {
		return m.alias(pools, o)
	}
	return nil
}

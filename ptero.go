// Package ptero runs ExecuTorch programs (`.pte`) in Go: on a device, or on a host with a simulated NPU. This package is
// the front door: it wires the default board, operators and backends.
//
//	m, err := ptero.Open("model.pte")        // bytes ─Parse─▶ program
//	f, err := m.Load("forward")              // ─Link─▶ ─Fit─▶ ─Bind─▶ method
//	err = f.Set(0, []float32{1, 2, 3})
//	err = f.Run(ctx)
//	y, err := ptero.Output[float32](f, 0)
//
// The rooms behind it: pte reads files, executor links and runs, memory places, hal knows pools, backends compute.
package ptero

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"go.uber.org/zap/zapcore"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/internal/workers"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/plan"
	"github.com/ptero-rt/ptero/pte"
)

// Model is an open program with what it runs on: a board, operators and backends. Link and Load may be called by several
// goroutines at once; each Method belongs to one goroutine at a time.
type Model struct {
	path     string
	file     *pte.File   // the program's, where it is known
	files    []*pte.File // closed with the model
	program  *pte.Program
	config   executor.Config
	board    hal.Board
	ownBoard bool
	space    *memory.Space
	strategy memory.Strategy
	log      zapcore.Core

	mu      sync.Mutex
	methods []*executor.Method // bound and perhaps not closed yet
}

// Open maps a `.pte` (or the program inside a `.bpte`) and parses it. Nothing is run and no device is touched.
func Open(path string, options ...Option) (*Model, error) {
	f, err := pte.Open(path)
	if err != nil {
		return nil, fault.Under(path, err)
	}
	p, err := f.Program()
	if err != nil {
		return nil, errors.Join(fault.Under(path, err), f.Close())
	}
	m, err := New(p, append(slices.Clip(options), From(f))...)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	m.files = append(m.files, f) // closed with the model
	return m, nil
}

// New makes a model of a program that was parsed already; its bytes must outlive the model.
func New(p *pte.Program, options ...Option) (*Model, error) {
	var s settings
	var errs []error
	for _, o := range options {
		errs = append(errs, o(&s))
	}
	m := &Model{path: "program", file: s.file, program: p, strategy: s.strategy, log: s.log, board: s.board}
	if m.log == nil {
		m.log = zapcore.NewNopCore()
	}
	fail := func(err error) (*Model, error) { return nil, errors.Join(err, m.Close()) }
	if err := errors.Join(errs...); err != nil {
		return fail(err)
	}
	for _, path := range s.data {
		f, err := pte.Open(path)
		if err != nil {
			return fail(fault.Under(path, err))
		}
		m.files = append(m.files, f)
		d, err := f.TensorData()
		if err != nil {
			return fail(fault.Under(path, err))
		}
		m.config.Data = append(m.config.Data, d)
	}
	if m.board == nil {
		b, err := openBoard(s.boardName, s.npu)
		if err != nil {
			return fail(err)
		}
		m.board, m.ownBoard = b, true
	}
	m.config.Workers = workers.New(s.threads)
	m.config.Ops = operators().Add(s.ops...)
	m.config.Backends = append(s.backends, backends(m.board, m.config.Workers)...)
	m.config.Budget = s.budget
	if m.space = s.space; m.space == nil {
		m.space = memory.NewSpace(m.board)
	}
	if m.file != nil {
		m.path = m.file.Name
	}
	if s.overlay != "" {
		if err := m.applyOverlay(s.overlay); err != nil {
			return fail(fault.Under(s.overlay, err))
		}
	}
	m.note("opened", text("file", m.path), text("methods", strings.Join(m.Methods(), " ")))
	return m, nil
}

// note logs that a phase was passed.
func (m *Model) note(phase string, fields ...zapcore.Field) {
	if e := m.log.Check(zapcore.Entry{Level: zapcore.DebugLevel, Time: time.Now(), Message: phase}, nil); e != nil {
		e.Write(fields...)
	}
}

func text(key, value string) zapcore.Field {
	return zapcore.Field{Key: key, Type: zapcore.StringType, String: value}
}

// Path is the file that the model was opened from.
func (m *Model) Path() string { return m.path }

// Program is the decoded file.
func (m *Model) Program() *pte.Program { return m.program }

// Bundle gives the test cases that a `.bpte` carries beside its program.
func (m *Model) Bundle() (*pte.Bundle, error) {
	if m.file == nil {
		return nil, fault.New(fault.NotFound, m.path, "a bundled program", "a program alone")
	}
	b, err := m.file.Bundle()
	return b, fault.Under(m.path, err)
}

// Board is the board that methods are bound to.
func (m *Model) Board() hal.Board { return m.board }

// Workers is the number of cores that kernels use.
func (m *Model) Workers() int { return m.config.Workers.Size() }

// Space is the ledger of the board's memory.
func (m *Model) Space() *memory.Space { return m.space }

// Methods lists the methods of the program in file order.
func (m *Model) Methods() []string {
	names := make([]string, len(m.program.Plans))
	for i := range m.program.Plans {
		names[i] = m.program.Plans[i].Name
	}
	return names
}

// Link resolves a method: every operator and delegate it names, and all that is missing in one error.
func (m *Model) Link(method string) (*executor.Linked, error) {
	l, err := executor.Link(m.program, method, m.config)
	if err != nil {
		return nil, fault.Under(m.path, err)
	}
	m.note("linked", text("method", l.Method()), zapcore.Field{Key: "instructions", Type: zapcore.Int64Type, Integer: int64(l.Instructions())})
	return l, nil
}

// Fit says where linked methods would lie on the board together, each held by the model's strategy. The layout comes with
// an error that is all of its violations.
func (m *Model) Fit(linked ...*executor.Linked) (*memory.Layout, error) {
	demands := make([]memory.Demand, len(linked))
	var errs []error
	for i, l := range linked {
		demands[i] = l.Outline() // lifetimes do not matter here
		demands[i].Strategy = m.strategy
		errs = append(errs, l.FitBoard(m.board))
	}
	layout, err := m.space.Fit(demands...)
	return layout, fault.Under(m.path, errors.Join(err, errors.Join(errs...)))
}

// Bind takes a linked method's memory and makes it ready to run.
func (m *Model) Bind(l *executor.Linked) (*Method, error) {
	layout, err := m.Fit(l)
	if err != nil {
		return nil, err
	}
	return m.BindTo(l, layout)
}

// BindTo is Bind with a layout that Fit made for this method alone.
func (m *Model) BindTo(l *executor.Linked, layout *memory.Layout) (*Method, error) {
	method, err := l.Bind(m.space, layout)
	if err != nil {
		return nil, fault.Under(m.path, err)
	}
	m.mu.Lock()
	m.methods = append(slices.DeleteFunc(m.methods, (*executor.Method).Closed), method)
	m.mu.Unlock()
	m.note("bound", text("method", l.Method()), text("board", m.board.Name()))
	return &Method{Method: method, Layout: layout, plan: m.plan(l.Method())}, nil
}

// applyOverlay replaces the program by the one with the overlay's plan, once that was checked.
func (m *Model) applyOverlay(path string) error {
	if m.file == nil {
		return fault.New(fault.InvalidArgument, "", "a program with its file: ptero.From", "a program alone")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	o, err := plan.ParseOverlay(text)
	if err != nil {
		return err
	}
	linked, err := m.linkAll()
	if err != nil {
		return err
	}
	p, err := o.Apply(m.program, m.file.Bytes, linked)
	if err = errors.Join(err, closeAll(linked)); err != nil {
		return err
	}
	m.program = p
	return nil
}

// Plan makes a better memory plan for the program on the model's board: see package plan.
func (m *Model) Plan(o plan.Options) (*plan.Result, error) {
	linked, err := m.linkAll()
	if err != nil {
		return nil, err
	}
	r, err := plan.Make(m.program, linked, m.board, o)
	return r, errors.Join(fault.Under(m.path, err), closeAll(linked))
}

func (m *Model) linkAll() ([]*executor.Linked, error) {
	var list []*executor.Linked
	var errs []error
	for _, name := range m.Methods() {
		l, err := m.Link(name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		list = append(list, l)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, errors.Join(err, closeAll(list))
	}
	return list, nil
}

func closeAll(list []*executor.Linked) error {
	var errs []error
	for _, l := range list {
		errs = append(errs, l.Close())
	}
	return errors.Join(errs...)
}

// Load links and binds a method; "" stands for the first.
func (m *Model) Load(method string) (*Method, error) {
	l, err := m.Link(method)
	if err != nil {
		return nil, err
	}
	f, err := m.Bind(l)
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return f, nil
}

func (m *Model) plan(name string) *pte.Plan {
	for i := range m.program.Plans {
		if m.program.Plans[i].Name == name {
			return &m.program.Plans[i]
		}
	}
	panic(fmt.Sprintf("BUG: a linked method %q that is not in the program", name))
}

// Close closes all methods, which waits for those that run, and gives back the board and the file.
func (m *Model) Close() error {
	var errs []error
	m.mu.Lock()
	for _, method := range m.methods { // they read the file and the board's memory
		errs = append(errs, method.Close())
	}
	m.methods = nil
	m.mu.Unlock()
	for _, b := range m.config.Backends {
		if c, ok := b.(interface{ Close() error }); ok {
			errs = append(errs, c.Close())
		}
	}
	m.config.Backends = nil
	m.config.Workers.Close()
	if m.ownBoard && m.board != nil {
		errs = append(errs, m.board.Close())
		m.board = nil
	}
	for _, f := range m.files {
		errs = append(errs, f.Close())
	}
	m.files = nil
	return errors.Join(errs...)
}

// Fitting is several programs laid out on one board together, for reports; nothing of it can run.
type Fitting struct {
	Layout *memory.Layout
	models []*Model
	linked []*executor.Linked
}

// FitFiles lays all methods of all files out on one board, held by the strategy of the options. The fitting comes with an
// error where the layout does not fit; it is nil where a file cannot be read or linked.
func FitFiles(paths []string, options ...Option) (*Fitting, error) {
	f := &Fitting{}
	var demands []memory.Demand
	var misfits []error
	for i, path := range paths {
		m, err := Open(path, options...)
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		f.models = append(f.models, m)
		for _, name := range m.Methods() {
			l, err := m.Link(name)
			if err != nil {
				return nil, errors.Join(err, f.Close())
			}
			f.linked = append(f.linked, l)
			d := l.Demand()
			d.Strategy = m.strategy
			if len(paths) > 1 {
				d.Method = fmt.Sprintf("%d.%s", i, d.Method)
			}
			demands = append(demands, d)
			misfits = append(misfits, fault.Under(path, l.FitBoard(m.board)))
		}
	}
	layout, err := f.models[0].space.Fit(demands...)
	f.Layout = layout
	return f, errors.Join(err, errors.Join(misfits...))
}

// Close gives everything back.
func (f *Fitting) Close() error {
	var errs []error
	for _, l := range f.linked {
		errs = append(errs, l.Close())
	}
	for _, m := range f.models {
		errs = append(errs, m.Close())
	}
	f.linked, f.models = nil, nil
	return errors.Join(errs...)
}

package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/pte"
)

// verifyJSON is a line of `verify --json`: one method of one file.
type verifyJSON struct {
	File   string      `json:"file"`
	Method *string     `json:"method"` // null where the file cannot be read
	Cases  int         `json:"cases"`  // of the bundle
	Passed int         `json:"passed"`
	MaxAbs *float64    `json:"max_abs"`
	MaxRel *float64    `json:"max_rel"`
	Error  *errorJSON  `json:"error"`
	Errors []errorJSON `json:"errors,omitempty"` // all, where several were found at once
	Code   uint32      `json:"code"`             // of the error

	agreed map[int]bool // the cases that ran
	err    error
}

// fail ends a line with an error.
func (l *verifyJSON) fail(err error) {
	list := listJSON(err)
	l.err, l.Error, l.Code = err, &list[0], list[0].Code.Number
	if len(list) > 1 {
		l.Errors = list
	}
}

// status is the exit status that a line asks for. Cases that a sequence leaves out do not count.
func (l *verifyJSON) status() int {
	switch {
	case l.err != nil:
		return status(l.err)
	case l.Passed != len(l.agreed):
		return exitFailed
	}
	return exitDone
}

// judge says how outputs are compared.
type judge struct {
	rtol, atol float64
	shapeOnly  bool
}

// step is one test case in the order of execution.
type step struct {
	method string
	index  int
}

func newVerify(c *console) *cobra.Command {
	var s setup
	var j judge
	var sequence string
	cmd := &cobra.Command{
		Use:   "verify FILE.bpte...",
		Short: "Run the test cases that a bundled program carries and compare",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !(j.rtol >= 0 && j.atol >= 0) {
				return wrongFlag("--rtol, --atol", "0 or more", fmt.Sprintf("%g, %g", j.rtol, j.atol))
			}
			worst := exitDone
			done := c.progress("verify", len(args))
			defer done.stop()
			for _, file := range args {
				lines, err := verifyFile(cmd.Context(), c, &s, file, j, sequence)
				switch {
				case status(err) == exitUsage:
					return err
				case err != nil:
					l := &verifyJSON{File: file}
					l.fail(err)
					lines = []*verifyJSON{l}
				}
				for _, l := range lines {
					worst = max(worst, l.status())
					if err := l.print(c); err != nil {
						return err
					}
				}
				done.step()
			}
			if worst != exitDone {
				return quietError{worst}
			}
			return nil
		},
	}
	s.runFlags(cmd)
	cmd.Flags().Float64Var(&j.rtol, "rtol", 1e-5, "relative tolerance")
	cmd.Flags().Float64Var(&j.atol, "atol", 1e-8, "absolute tolerance")
	cmd.Flags().BoolVar(&j.shapeOnly, "shape-only", false, "compare shapes and dtypes alone")
	cmd.Flags().StringVar(&sequence, "sequence", "", "order of calls across methods of one loaded program: forward:0,set_state:0,…")
	return cmd
}

// print prints the line; what went wrong goes to stderr.
func (l *verifyJSON) print(c *console) error {
	if l.err != nil {
		c.complain(l.err)
	}
	switch {
	case c.json:
		return c.document(l)
	case l.Method == nil:
		c.printf("%s: cannot be run\n", l.File)
		return nil
	}
	c.printf("%s %s: %d of %d cases agree", l.File, *l.Method, l.Passed, l.Cases)
	if l.MaxAbs != nil {
		c.printf(", largest difference %.3g absolute, %.3g relative", *l.MaxAbs, *l.MaxRel)
	}
	switch {
	case l.err != nil && len(l.agreed) == 0:
		c.printf("; it cannot be run")
	case l.err != nil:
		c.printf("; it failed")
	case len(l.agreed) < l.Cases:
		c.printf("; %d ran", len(l.agreed))
	}
	c.printf("\n")
	return nil
}

// verifyFile runs the cases of one bundle. Methods stay loaded over the whole file, so that state carries over.
func verifyFile(ctx context.Context, c *console, s *setup, file string, j judge, sequence string) ([]*verifyJSON, error) {
	m, err := s.open(c, file)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	b, err := m.Bundle()
	if err != nil {
		return nil, inPhase(exitFile, err)
	}
	lines, steps, err := schedule(file, b, sequence)
	if err != nil {
		return nil, err
	}
	methods := map[string]*ptero.Method{}
	defer func() {
		for _, f := range methods {
			f.Close()
		}
	}()
	if s.method != "" {
		if _, err := s.choose(m); err != nil {
			return nil, err
		}
		lines.list = slices.DeleteFunc(lines.list, func(l *verifyJSON) bool { return *l.Method != s.method })
		steps = slices.DeleteFunc(steps, func(st step) bool { return st.method != s.method })
	}
	// All methods are loaded before the first runs, as an application does that calls one after the other.
	for _, l := range lines.list {
		f, err := load(m, *l.Method)
		if err != nil {
			l.fail(err)
			continue
		}
		methods[*l.Method] = f
	}
	for _, st := range steps {
		l := lines.byMethod[st.method]
		if l.err != nil {
			continue
		}
		suite, _ := b.Suite(st.method)
		diff, err := runCase(ctx, methods[st.method], &suite.Cases[st.index], j)
		if err != nil {
			l.agreed[st.index] = false
			l.fail(inPhase(exitFailed, fault.Under(fmt.Sprintf("%s.%s.cases[%d]", file, st.method, st.index), err)))
			continue
		}
		l.count(st.index, diff)
	}
	return lines.list, nil
}

type verifyLines struct {
	list     []*verifyJSON
	byMethod map[string]*verifyJSON
}

// schedule lists the cases in the order in which they run: file order, or the order given.
func schedule(file string, b *pte.Bundle, sequence string) (*verifyLines, []step, error) {
	lines := &verifyLines{byMethod: map[string]*verifyJSON{}}
	var steps []step
	for _, suite := range b.Suites {
		l := &verifyJSON{File: file, Method: &suite.Method, Cases: len(suite.Cases), agreed: map[int]bool{}}
		lines.list = append(lines.list, l)
		lines.byMethod[suite.Method] = l
		for i := range suite.Cases {
			steps = append(steps, step{suite.Method, i})
		}
	}
	if sequence == "" {
		return lines, steps, nil
	}
	steps = nil
	for _, word := range strings.Split(sequence, ",") {
		name, number, ok := strings.Cut(word, ":")
		i, err := strconv.Atoi(number)
		l := lines.byMethod[name]
		if !ok || err != nil || l == nil || i < 0 || i >= l.Cases {
			return nil, nil, wrongFlag("--sequence", "METHOD:CASE of the bundle", strconv.Quote(word))
		}
		steps = append(steps, step{name, i})
	}
	return lines, steps, nil
}

// difference is how far outputs lie from what was expected.
type difference struct {
	agrees         bool
	maxAbs, maxRel float64
	measured       bool
}

// count adds a run of case i. A case that runs several times has passed when it agreed each time.
func (l *verifyJSON) count(i int, d difference) {
	before, again := l.agreed[i]
	l.agreed[i] = d.agrees && (before || !again)
	switch {
	case d.agrees && !again:
		l.Passed++
	case again && before && !d.agrees:
		l.Passed--
	}
	if !d.measured {
		return
	}
	if l.MaxAbs == nil {
		l.MaxAbs, l.MaxRel = new(float64), new(float64)
	}
	*l.MaxAbs, *l.MaxRel = max(*l.MaxAbs, d.maxAbs), max(*l.MaxRel, d.maxRel)
}

func runCase(ctx context.Context, f *ptero.Method, k *pte.Case, j judge) (difference, error) {
	var d difference
	if len(k.Inputs) != f.NumInputs() {
		return d, fault.New(fault.InvalidArgument, "inputs", strconv.Itoa(f.NumInputs()), strconv.Itoa(len(k.Inputs)))
	}
	for i := range k.Inputs {
		v, err := caseValue(&k.Inputs[i], f.Input(i))
		if err == nil {
			err = f.SetInput(i, v)
		}
		if err != nil {
			return d, fault.Under(fmt.Sprintf("inputs[%d]", i), err)
		}
	}
	if err := f.Run(ctx); err != nil {
		return d, err
	}
	defer f.ReleaseOutputs()
	if len(k.Expected) != f.NumOutputs() {
		return d, fault.New(fault.InvalidArgument, "expected_outputs", strconv.Itoa(f.NumOutputs()), strconv.Itoa(len(k.Expected)))
	}
	d.agrees = true
	for i := range k.Expected {
		want, err := caseValue(&k.Expected[i], nil)
		if err != nil {
			return d, fault.Under(fmt.Sprintf("expected_outputs[%d]", i), err)
		}
		if err := j.compare(&d, f.Output(i), want); err != nil {
			return d, fault.Under(fmt.Sprintf("outputs[%d]", i), err)
		}
	}
	return d, nil
}

// caseValue makes a value of a bundled one. like, where there is one, is the input it is for: a bundle cannot say "none",
// and writes tensors row-major where it does not keep the dim order.
func caseValue(v *pte.CaseValue, like *executor.Value) (*executor.Value, error) {
	switch v.Kind {
	case pte.KindInt:
		return executor.NewInt(v.Int), nil
	case pte.KindBool:
		return executor.NewBool(v.Bool), nil
	case pte.KindDouble:
		return executor.NewDouble(v.Double), nil
	case pte.KindTensor:
	default:
		return nil, fault.New(fault.NotSupported, "", "a tensor, int, bool or double", kindName(v.Kind))
	}
	sizes := make([]int, len(v.Tensor.Sizes))
	for i, n := range v.Tensor.Sizes {
		sizes[i] = int(n)
	}
	t := executor.NewTensorOrder(v.Tensor.DType, sizes, v.Tensor.DimOrder, nil)
	copyLittleEndian(t.Data, v.Tensor.Bytes, t.DType)
	if like != nil && like.Tensor() != nil && like.Tensor().Rank() == len(sizes) && !bytes.Equal(like.Tensor().DimOrder, t.DimOrder) {
		own := executor.NewTensorOrder(t.DType, sizes, like.Tensor().DimOrder, nil)
		own.SetLogical(t.Logical())
		t = own
	}
	return executor.NewTensorValue(t), nil
}

// compare holds one output against the expected value. Shapes and dtypes must be equal; floats may differ within the
// tolerance (NaN equals NaN, infinities equal); everything else is compared exactly.
func (j judge) compare(d *difference, got, want *executor.Value) error {
	g, w := got.Tensor(), want.Tensor()
	if g == nil || w == nil {
		ok := got.Kind() == want.Kind() && (j.shapeOnly || got.Int() == want.Int() && j.near(d, got.Double(), want.Double()))
		if w != nil && g == nil && w.NumElements() == 1 { // the exporter's bundle may hold a scalar as a tensor
			ok = j.shapeOnly || j.near(d, got.Double(), number(w, 0))
		}
		d.agrees = d.agrees && ok
		return nil
	}
	if g.DType != w.DType || fmt.Sprint(g.Sizes) != fmt.Sprint(w.Sizes) {
		return fault.New(fault.InvalidType, "", fmt.Sprintf("%v %v", w.DType, w.Sizes), fmt.Sprintf("%v %v", g.DType, g.Sizes))
	}
	if j.shapeOnly {
		return nil
	}
	a := executor.NewTensor(g.DType, g.Sizes, g.Logical())
	b := executor.NewTensor(w.DType, w.Sizes, w.Logical())
	switch g.DType {
	case pte.Float, pte.Double, pte.Half, pte.BFloat16:
		for i := range a.NumElements() {
			d.agrees = j.near(d, number(a, i), number(b, i)) && d.agrees
		}
	case pte.ComplexFloat, pte.ComplexDouble, pte.ComplexHalf:
		part := map[executor.DType]executor.DType{pte.ComplexFloat: pte.Float, pte.ComplexDouble: pte.Double, pte.ComplexHalf: pte.Half}[g.DType]
		a = executor.NewTensor(part, []int{2 * a.NumElements()}, a.Data)
		b = executor.NewTensor(part, []int{2 * b.NumElements()}, b.Data)
		for i := range a.NumElements() {
			d.agrees = j.near(d, number(a, i), number(b, i)) && d.agrees
		}
	default:
		if j.atol >= 1 { // quantised results that may differ by steps
			for i := range a.NumElements() {
				d.agrees = j.near(d, number(a, i), number(b, i)) && d.agrees
			}
			return nil
		}
		d.agrees = d.agrees && bytes.Equal(a.Data, b.Data)
	}
	return nil
}

func (j judge) near(d *difference, got, want float64) bool {
	d.measured = true
	if math.IsNaN(got) || math.IsNaN(want) {
		return math.IsNaN(got) && math.IsNaN(want)
	}
	if got == want {
		return true
	}
	diff := math.Abs(got - want)
	if math.IsInf(diff, 0) {
		return false
	}
	d.maxAbs = max(d.maxAbs, diff)
	if want != 0 {
		d.maxRel = max(d.maxRel, min(diff/math.Abs(want), math.MaxFloat64))
	}
	return diff <= j.atol+j.rtol*math.Abs(want)
}

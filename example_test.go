package ptero_test

import (
	"context"
	"fmt"
	"log"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/memory"
)

func Example() {
	m, err := ptero.Open(fixtures.Path("models", "bundled_program.bpte"))
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	f, err := m.Load("forward")
	if err != nil {
		log.Fatal(err)
	}
	if err := f.Set(0, []int32{1, 2, 3, 4}); err != nil { // in the shape of the input: 2 × 2
		log.Fatal(err)
	}
	if err := f.SetNamed("1", []int32{10, 10, 10, 10}); err != nil { // by name, where the exporter kept one, or by number
		log.Fatal(err)
	}
	if err := f.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
	y, err := ptero.Output[int32](f, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Output(0).Tensor().Sizes, y)
	// Output: [2 2] [15 18 21 24]
}

// Methods of one program share bytes where they hold mutable buffers of the same name.
func ExampleModel_Load() {
	m, err := ptero.Open(fixtures.Path("cpu", "models", "multi_method", "shared_mutable_buffer.bpte"))
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	forward, err := m.Load("forward")
	if err != nil {
		log.Fatal(err)
	}
	set, err := m.Load("set_state")
	if err != nil {
		log.Fatal(err)
	}
	if err := set.Set(0, []float32{1, 2, 3, 4}); err != nil {
		log.Fatal(err)
	}
	if err := set.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
	state, _ := forward.Attribute("state")
	fmt.Println(ptero.Values[float32](state))
	// Output: [1 2 3 4]
}

// A board says which pools there are; Layout says what went where.
func ExampleBoardNamed() {
	m, err := ptero.Open(fixtures.Path("models", "kws_cortex_m.pte"), ptero.BoardNamed("corstone-300"))
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	f, err := m.Load("forward")
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range f.Layout.Report("kws").Arenas {
		fmt.Printf("%s: %d B in %s at %#x\n", a.What, a.Bytes, a.Pool, a.Addr)
	}
	// Output:
	// arena: 16000 B in DDR at 0x70000000
	// temp: 6656 B in SRAM at 0x31000000
}

// Whether programs fit a board together is known before anything runs.
func ExampleFitFiles() {
	fit, err := ptero.FitFiles([]string{
		fixtures.Path("models", "kws_cortex_m.pte"),
		fixtures.Path("ethosu", "nets", "net_dscnn_kws.u55-128.ss.pte"),
	}, ptero.BoardNamed("corstone-300"), ptero.Hold(memory.Shared))
	if err != nil {
		log.Fatal(err) // every violation, with the largest offenders
	}
	defer fit.Close()
	for _, p := range fit.Layout.Report("both").Pools {
		if p.Name == "SRAM" {
			fmt.Printf("%s: %d B used of %d\n", p.Name, p.Used, p.Capacity)
		}
	}
	// Output: SRAM: 22224 B used of 2097152
}

// An operator of one's own is a value with a name; it comes in front of a built-in one.
func ExampleOperators() {
	add := executor.Op{
		Name: "aten::add.out",
		Run: func(_ *executor.Scope, _ any, args []*executor.Value) error {
			a, b, out := args[0].Tensor(), args[1].Tensor(), args[len(args)-1].Tensor()
			for i, x := range executor.Slice[int32](a) {
				executor.Slice[int32](out)[i] = 100*x + executor.Slice[int32](b)[i]
			}
			return nil
		},
	}
	m, err := ptero.Open(fixtures.Path("models", "bundled_program.bpte"), ptero.Operators(add))
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	f, err := m.Load("")
	if err != nil {
		log.Fatal(err)
	}
	for i := range f.NumInputs() {
		if err := f.Set(i, []int32{1, 2, 3, 4}); err != nil {
			log.Fatal(err)
		}
	}
	if err := f.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
	y, err := ptero.Output[int32](f, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(y)
	// Output: [30201 60202 90203 120204]
}

// adder is a backend whose every delegate adds two float32 tensors, whatever its blob says.
type adder struct{}

func (adder) ID() string { return "XnnpackBackend" }

func (a adder) Init(executor.Blob) (executor.Delegate, error) { return a, nil }

func (adder) Arity() executor.Arity {
	return executor.Arity{In: 2, Out: 1, Forms: [][]executor.Scratch{{}}} // no scratch
}

func (adder) Prepare(args []*executor.Value) ([]memory.Need, error) { return nil, nil }

func (adder) Execute(_ *executor.Scope, args []*executor.Value) error {
	b, out := executor.Slice[float32](args[1].Tensor()), executor.Slice[float32](args[2].Tensor())
	for i, x := range executor.Slice[float32](args[0].Tensor()) {
		out[i] = x + b[i]
	}
	return nil
}

func (adder) Close() error { return nil }

// A backend of one's own runs the delegates that carry its name.
func ExampleBackends() {
	m, err := ptero.Open(fixtures.Path("cpu", "xnnpack", "add", "f32.bpte"), ptero.Backends(adder{}))
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	f, err := m.Load("forward")
	if err != nil {
		log.Fatal(err)
	}
	n := f.Input(0).Tensor().NumElements()
	for i := range f.NumInputs() {
		if err := f.Set(i, make([]float32, n)); err != nil {
			log.Fatal(err)
		}
	}
	if err := f.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
	y, err := ptero.Output[float32](f, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(y) == n, y[0])
	// Output: true 0
}

package memory_test

import (
	"context"
	"fmt"

	"github.com/ptero-rt/ptero/hal/board"
	"github.com/ptero-rt/ptero/hal/sim"
	"github.com/ptero-rt/ptero/memory"
)

// A method's demand is laid out on a board, taken, and used by one run.
func Example() {
	profile, _ := board.Load("corstone-300")
	b, _ := sim.Open(profile.Spec, sim.Options{})
	defer b.Close()
	space := memory.NewSpace(b)

	layout, err := space.Fit(memory.Demand{
		Method: "forward",
		Arenas: []memory.Arena{{MemID: 1, Bytes: 752640}},
		Calls:  []memory.Call{{Instruction: 2, Label: "EthosUBackend", Needs: []memory.Need{{Role: "scratch", Bytes: 1509584, Device: "ethos-u"}}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range layout.Report("mobilenet_v2.pte").Arenas {
		fmt.Printf("%s: %s B of %s at %#x\n", a.What, memory.Grouped(a.Bytes), a.Pool, a.Addr)
	}

	method, _ := space.Take(layout, 0)
	if err := method.Enter(context.Background()); err != nil {
		fmt.Println(err)
		return
	}
	scratch := method.Temp()
	fmt.Printf("scratch of %d B at %#x\n", len(scratch.Bytes), scratch.Addr)
	method.Leave(memory.Released)
	// Output:
	// arena: 752,640 B of DDR at 0x70000000
	// temp: 1,509,584 B of SRAM at 0x31000000
	// scratch of 1509584 B at 0x31000000
}

// A scope puts methods under another strategy and gives each its own back.
func ExampleSpace_With() {
	b, _ := sim.Host()
	defer b.Close()
	space := memory.NewSpace(b)
	layout, _ := space.Fit(memory.Demand{Method: "a", Arenas: []memory.Arena{{MemID: 1, Bytes: 4096}}})
	a, _ := space.Take(layout, 0)

	_ = space.With(memory.Dynamic, []*memory.Holding{a}, func() error {
		fmt.Println(a.Strategy(), space.Metrics().Pools[0].Used)
		return a.Prewarm(context.Background())
	})
	fmt.Println(a.Strategy())
	// Output:
	// dynamic 0
	// static
}

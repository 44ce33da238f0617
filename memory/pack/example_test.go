package pack_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/ptero-rt/ptero/memory/pack"
)

func ExamplePlace() {
	buffers, err := pack.ReadCSV(strings.NewReader("id,lower,upper,size\na,0,2,8\nb,1,3,4\nc,2,4,8\n"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	p, err := pack.Place(buffers, pack.Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	fmt.Println(p.Offsets, "height", p.Height, "optimal", p.Optimal)
	// Output: [0 8 0] height 12 optimal true
}

// A scratch that the NPU must reach, beside two tensors of which only one fits into the fast pool with it.
func ExampleAssign() {
	pools := []pack.Pool{
		{Name: "SRAM", Capacity: 96, Rates: []pack.Rate{{ReadTime: 1, WriteTime: 1}}},
		{Name: "DRAM", Capacity: 1 << 20, Rates: []pack.Rate{{ReadTime: 8, WriteTime: 4}}},
	}
	life := []pack.Interval{{Lower: 0, Upper: 4}}
	buffers := []pack.Buffer{
		{ID: "scratch", Live: life, Size: 64, Align: 16, Pools: 1},
		{ID: "hot", Live: life, Size: 32, Align: 16, Accesses: []pack.Access{{Read: 96, Write: 32}}},
		{ID: "cold", Live: life, Size: 32, Align: 16, Accesses: []pack.Access{{Read: 32, Write: 32}}},
	}
	plan, err := pack.Assign(buffers, pools, pack.Options{Objective: pack.Traffic})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	for i, b := range buffers {
		fmt.Println(b.ID, pools[plan.Pool[i]].Name, plan.Offsets[i])
	}
	fmt.Println("cost", plan.Cost, "optimal", plan.CostOptimal)
	// Output:
	// scratch SRAM 0
	// hot SRAM 64
	// cold DRAM 0
	// cost 512 optimal true
}

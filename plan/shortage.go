package plan

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/memory/pack"
)

// shortage says why there is no plan: the pools that are too small for what may lie nowhere else, with the largest of that,
// or what the solver says.
func shortage(buffers []pack.Buffer, pools []pack.Pool, cause error) error {
	var errs []error
	for i := range pools {
		var only []pack.Buffer
		for _, b := range buffers {
			if b.Pools == 1<<i {
				only = append(only, b)
			}
		}
		at, bytes, alive, err := pack.Peak(only)
		if err != nil || bytes <= pools[i].Capacity {
			continue
		}
		slices.SortStableFunc(alive, func(a, b int) int { return cmp.Compare(only[b].Size, only[a].Size) })
		var largest []string
		for _, k := range alive[:min(3, len(alive))] {
			largest = append(largest, fmt.Sprintf("%s %s B", only[k].ID, memory.Grouped(only[k].Size)))
		}
		errs = append(errs, &fault.Error{Path: "pool " + pools[i].Name, Rule: "pool_capacity", Code: fault.MemoryAllocationFailed, Err: pack.ErrNoRoom,
			Want:  fmt.Sprintf("at least %s B during instruction %d for what may lie nowhere else (%s)", memory.Grouped(bytes), at, strings.Join(largest, ", ")),
			Found: memory.Grouped(pools[i].Capacity) + " B"})
	}
	if errs == nil {
		return &fault.Error{Rule: "pool_capacity", Code: fault.MemoryAllocationFailed, Err: cause}
	}
	return errors.Join(errs...)
}

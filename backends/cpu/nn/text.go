package nn

import (
	"fmt"

	"github.com/ptero-rt/ptero/executor"
)

// What goes into errors. These allocate, so they are called for errors only.

func sizes(t *executor.Tensor) string { return fmt.Sprint("sizes ", append([]int{}, t.Sizes...)) }

func number(n int) string { return fmt.Sprint(n) }

func between(lo, hi int) string { return fmt.Sprintf("%d…%d", lo, hi) }

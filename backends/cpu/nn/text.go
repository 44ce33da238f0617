package nn

import "fmt"

// What goes into errors. These allocate, so they are called for errors only.

func number(n int) string { return fmt.Sprint(n) }

func between(lo, hi int) string { return fmt.Sprintf("%d…%d", lo, hi) }

package cpu

import "fmt"

// intsText and elementsText write numbers for errors; the copy keeps the caller's array off the heap.
func intsText(list []int) string { return fmt.Sprint(append([]int{}, list...)) }

func elementsText(n int) string { return fmt.Sprintf("sizes of %d elements", n) }

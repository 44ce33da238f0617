// Package site is the frame of operators that keep a plan for every call site:
//
//	Prepare ─▶ Plan (where the file fixes everything) ─▶ what memory that needs
//	Run ─────▶ Plan (again, where sizes or numbers have changed) ─▶ Run
package site

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

// Need adds a need to a list, unless it is for nothing.
func Need(list []memory.Need, role string, place memory.Place, bytes int) []memory.Need {
	if bytes == 0 {
		return list
	}
	return append(list, memory.Need{Role: role, Place: place, Bytes: uint64(bytes), Align: 64})
}

// Temp is Need for temp memory.
func Temp(role string, bytes int) []memory.Need { return Need(nil, role, memory.Temp, bytes) }

// Sizes describes a tensor's shape in an error.
func Sizes(t *executor.Tensor) string { return "sizes " + arg.List(t.Sizes) }

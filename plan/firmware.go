package plan

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/ptero-rt/ptero/hal"
)

// Firmware is a plan for an image that runs ExecuTorch's C++ runtime: one section an arena, in the pool that the plan
// chose, and a table of them that becomes the runtime's planned buffers.
type Firmware struct {
	Linker []byte // ptero.ld, for GNU ld
	Header []byte // ptero_pools.h
	Source []byte // ptero_pools.c, for any C11 compiler with GNU attributes
}

// block is one array of the firmware.
type block struct {
	name, pool string
	bytes      uint64
	legacy     uint64 // where backends leave planned scratch alone
}

// Firmware gives the arenas of the new plan as sources. Each is as large as the largest method wants it, so that one method
// is loaded at a time.
func (r *Result) Firmware() Firmware {
	p := r.pools
	place, all := p.board.Placement(), p.board.Pools()
	var arenas, blocks []block
	for _, m := range r.methods {
		for id, n := range r.Program.Plans[m.index].BufferBytes {
			for id > len(arenas) {
				k := uint32(len(arenas) + 1)
				b := block{name: fmt.Sprintf("arena_%d", k)}
				if at := p.pool(k); int(at) < len(all) {
					b.pool = all[at].Name
				}
				arenas = append(arenas, b)
			}
			if id > 0 {
				b := &arenas[id-1]
				b.bytes = max(b.bytes, n)
				b.legacy = b.bytes
			}
		}
	}
	temp, fast := block{name: "temp"}, block{name: "fast_scratch"}
	for _, m := range r.methods {
		t, f := m.peaks(m.items, true)
		lt, lf := m.peaks(nil, true)
		temp.bytes, temp.legacy = max(temp.bytes, t), max(temp.legacy, lt)
		fast.bytes, fast.legacy = max(fast.bytes, f), max(fast.legacy, lf)
	}
	for b, at := range map[*block]hal.PoolID{&temp: place.Temp, &fast: place.Fast} {
		if int(at) < len(all) {
			b.pool = all[at].Name
		}
	}
	for _, b := range append(arenas, temp, fast) {
		if b.legacy > 0 && b.pool != "" {
			blocks = append(blocks, b)
		}
	}
	return Firmware{Linker: linkerScript(p.board.Name(), blocks), Header: header(p.board.Name(), len(arenas), blocks), Source: source(arenas, blocks)}
}

// firmwareAlign is the alignment of every array: no cache line of the boards is longer.
const firmwareAlign = 64

func linkerScript(board string, blocks []block) []byte {
	var w bytes.Buffer
	fmt.Fprintf(&w, "/* Made by ptero plan for board %s. INCLUDE it within the SECTIONS of your script, which says what region stands for a\n   pool, for instance REGION_ALIAS(\"%s\", ISRAM). */\n", board, region("SRAM"))
	for _, b := range blocks {
		fmt.Fprintf(&w, ".ptero_%s (NOLOAD) : ALIGN(%d) { KEEP(*(.ptero_%s)) } > %s\n", b.name, firmwareAlign, b.name, region(b.pool))
	}
	return w.Bytes()
}

// region is the linker's name for a pool.
func region(pool string) string {
	return "PTERO_" + strings.ToUpper(strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '_'
	}, pool))
}

func header(board string, arenas int, blocks []block) []byte {
	var w bytes.Buffer
	fmt.Fprintf(&w, `/* Made by ptero plan for board %s. */
#ifndef PTERO_POOLS_H
#define PTERO_POOLS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Define PTERO_LEGACY_SCRATCH if the runtime's backends take their scratch from the temp allocator whatever the program
   plans, as those of ExecuTorch 1.5 do. */
`, board)
	for _, b := range blocks {
		name := "PTERO_" + strings.ToUpper(b.name) + "_BYTES"
		if b.legacy == b.bytes {
			fmt.Fprintf(&w, "#define %s %d\n", name, b.bytes)
		} else {
			fmt.Fprintf(&w, "#ifdef PTERO_LEGACY_SCRATCH\n#define %s %d\n#else\n#define %s %d\n#endif\n", name, b.legacy, name, b.bytes)
		}
	}
	fmt.Fprintf(&w, `
struct ptero_span {
  uint8_t *data;
  size_t size;
};

/* The planned buffers by mem_id - 1, as a HierarchicalAllocator takes them. One method may use them at a time. */
#define PTERO_PLANNED %d
extern const struct ptero_span ptero_planned[PTERO_PLANNED + 1];
extern const struct ptero_span ptero_temp, ptero_fast_scratch;

#ifdef __cplusplus
}
#endif
#endif
`, arenas)
	return w.Bytes()
}

func source(arenas, blocks []block) []byte {
	var w bytes.Buffer
	w.WriteString("/* Made by ptero plan. */\n#include \"ptero_pools.h\"\n\n")
	has := map[string]bool{}
	for _, b := range blocks {
		name := "PTERO_" + strings.ToUpper(b.name) + "_BYTES"
		fmt.Fprintf(&w, "#if %s > 0\n__attribute__((section(\".ptero_%s\"), aligned(%d))) static uint8_t %s[%s];\n#define SPAN_%s {%s, %s}\n#else\n#define SPAN_%s {NULL, 0}\n#endif\n",
			name, b.name, firmwareAlign, b.name, name, b.name, b.name, name, b.name)
		has[b.name] = true
	}
	span := func(name string) string {
		if has[name] {
			return "SPAN_" + name
		}
		return "{NULL, 0}"
	}
	w.WriteString("\nconst struct ptero_span ptero_planned[PTERO_PLANNED + 1] = {\n")
	for _, b := range arenas {
		fmt.Fprintf(&w, "  %s,\n", span(b.name))
	}
	fmt.Fprintf(&w, "};\nconst struct ptero_span ptero_temp = %s, ptero_fast_scratch = %s;\n", span("temp"), span("fast_scratch"))
	return w.Bytes()
}

package plan_test

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/memory/pack"
	"github.com/ptero-rt/ptero/plan"
)

// The script is the firmware's own: regions of the board, and which of them stand for pools.
const ownScript = `
MEMORY { ISRAM (rw) : ORIGIN = 0x31000000, LENGTH = 2M  DDR (rwx) : ORIGIN = 0x70000000, LENGTH = 256M }
REGION_ALIAS("PTERO_SRAM", ISRAM)
REGION_ALIAS("PTERO_DDR", DDR)
SECTIONS { .text : { *(.text*) *(.rodata*) *(.eh_frame*) *(.note*) } > DDR  .data : { *(.data*) } > DDR  .bss : { *(.bss*) } > DDR
  INCLUDE ptero.ld
}
`

// The sources compile and link, every arena lies in its pool, and the table has what the program wants.
func TestFirmware(t *testing.T) {
	p := ethosProgram(t, "two_delegates_skip.u55-32.ss.pte")
	r := makePlan(t, p, "corstone-300", nil, plan.Options{Objective: pack.Height, Pins: []plan.Pin{{Scratch: true, Pool: "SRAM"}, {MemID: 1, Pool: "DDR"}}})
	f := r.Firmware()
	require.Contains(t, string(f.Header), "#define PTERO_PLANNED 3")
	for _, tool := range []string{"gcc", "ld"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not on this machine: the sources were not compiled", tool)
		}
	}
	dir := t.TempDir()
	for name, text := range map[string][]byte{"own.ld": []byte(ownScript), "ptero.ld": f.Linker, "ptero_pools.h": f.Header, "ptero_pools.c": f.Source,
		"main.c": []byte("#include \"ptero_pools.h\"\nint start(void) { return (int)ptero_planned[0].size; }\n")} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o666))
	}
	for _, legacy := range []bool{false, true} {
		run := func(name string, args ...string) {
			cmd := exec.Command(name, args...)
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s\n%s", out, f.Linker)
		}
		flags := []string{"-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fno-pic", "-c", "ptero_pools.c", "main.c"}
		if legacy {
			flags = append(flags, "-DPTERO_LEGACY_SCRATCH")
		}
		run("gcc", flags...)
		run("ld", "-e", "start", "-T", "own.ld", "-o", "image", "ptero_pools.o", "main.o")
		image, err := elf.Open(filepath.Join(dir, "image"))
		require.NoError(t, err)
		symbols, err := image.Symbols()
		require.NoError(t, err)
		at := map[string]elf.Symbol{}
		for _, s := range symbols {
			at[s.Name] = s
		}
		sizes := r.Program.Plans[0].BufferBytes
		require.Equal(t, sizes[1], at["arena_1"].Size)
		require.Equal(t, sizes[3], at["arena_3"].Size)
		require.GreaterOrEqual(t, at["arena_1"].Value, uint64(0x70000000))
		require.EqualValues(t, 0x31000000, at["arena_3"].Value&^0xfffff)
		require.Zero(t, at["arena_3"].Value%64)
		temp, ok := at["temp"]
		require.Equal(t, legacy, ok, "scratch is planned, and nothing else wants temporary memory")
		if legacy {
			require.EqualValues(t, 1648, temp.Size)
			require.EqualValues(t, 0x31000000, temp.Value&^0xfffff)
		}
		require.NoError(t, image.Close())
	}
}

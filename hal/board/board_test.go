package board_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/hal/board"
	"github.com/ptero-rt/ptero/hal/sim"
)

// Every built-in board loads, opens, names a source for each fact and places every mem_id that it lists.
func TestBuiltIn(t *testing.T) {
	for _, name := range board.Names() {
		t.Run(name, func(t *testing.T) {
			p, err := board.Load(name)
			require.NoError(t, err)
			require.Equal(t, name, p.Name)
			require.NotEmpty(t, p.About)
			if name != "host" {
				require.NotEmpty(t, p.Source)
				for what, source := range p.Sources {
					require.NotEmpty(t, source, what)
				}
				require.Len(t, p.Sources, len(p.Pools)+len(p.Devices))
			}
			b, err := sim.Open(p.Spec, sim.Options{})
			require.NoError(t, err)
			defer b.Close()
			place := b.Placement()
			for _, id := range []hal.PoolID{place.Temp, place.Constants, place.Arena(1), place.Arena(2), place.Arena(3)} {
				require.Less(t, int(id), len(b.Pools()))
			}
			for _, d := range b.Devices() {
				if strings.HasPrefix(d.Kind, "ethos-u") {
					_, ok := hal.ViewOf(b, place.Temp, "ethos-u")
					require.True(t, ok, "scratch that the file does not plan must be visible")
				}
			}
		})
	}
}

func TestCorstone300(t *testing.T) {
	p, err := board.Load("corstone-300")
	require.NoError(t, err)
	name := func(id hal.PoolID) string { return p.Pools[id].Name }
	require.Equal(t, "DDR", name(p.Placement.Arena(1)))
	require.Equal(t, "DDR", name(p.Placement.Arena(2)))
	require.Equal(t, "SRAM", name(p.Placement.Arena(3)))
	require.Equal(t, "SRAM", name(p.Placement.Temp))
	sram := p.Pools[p.Placement.Temp]
	require.EqualValues(t, 0x31000000, sram.Base)
	require.EqualValues(t, 2<<20, sram.Size)
	require.EqualValues(t, 32, sram.Line)
	require.InDelta(t, 64, sram.Perf.ReadLatencyNs, 1e-9) // 32 cycles of 500 MHz
}

const good = `{"name":"b","cpu":{"line":32},"devices":[{"name":"npu0","kind":"ethos-u55","clock_hz":5e8}],
"regions":[{"name":"R","base":"0x20000000","size":"64K","class":"sram","cpu":{"cacheable":true},"visible":[{"dev":"npu0"}]}],
"arenas":{"1":"R"},"temp":"R","constants":"R","fast_scratch":{"pool":"R","size":"8K"}}`

func TestMistakes(t *testing.T) {
	_, err := board.Parse([]byte(good))
	require.NoError(t, err)
	for _, c := range []struct{ old, new, want string }{
		{`"name":"b"`, `"nmae":"b"`, "name: want a value, found nothing\nnmae: want a key that profiles have, found an unknown key"},
		{`"cpu":{"line":32}`, `"cpu":{"line":33}`, "cpu.line: want a power of two, found 33"},
		{`"cpu":{"line":32}`, `"cpu":{"lines":32}`, "cpu.lines: want a key"},
		{`"class":"sram"`, `"class":"psram"`, `regions[0].class: want tcm, sram, dram or flash, found "psram"`},
		{`"64K"`, `"64Q"`, `regions[0].size: want a whole number from 0, or text such as "64K", "2M" or "0x31000000", found "64Q"`},
		{`"64K"`, `-1`, `regions[0].size`},
		{`"64K"`, `1.5`, `regions[0].size`},
		{`"64K"`, `0`, `regions[0].size: want at least 1 B`},
		{`"0x20000000"`, `"0xFFFFFFFFFFFFF000"`, "regions[0].size: want a region that ends within 64 bits"},
		{`"0x20000000"`, `"0x20000001"`, "regions[0].base: want a multiple of align, 4096"},
		{`{"dev":"npu0"}`, `{"dev":"npu1"}`, `regions[0].visible[0].dev: want a device of this board, found "npu1"`},
		{`{"1":"R"}`, `{"1":"S"}`, `arenas.1: want a region of this board: R, found "S"`},
		{`{"1":"R"}`, `{"0":"R"}`, `arenas.0: want a mem_id, from 1`},
		{`"temp":"R"`, `"temp":"T"`, `temp: want a region of this board: R, found "T"`},
		{`,"temp":"R"`, ``, `temp: want a value, found nothing`},
		{`"8K"`, `"1M"`, "fast_scratch.size: want at most the 65536 B of R, found 1048576"},
		{`"regions":[`, `"regions":[{"name":"Q","base":"0x2000F000","size":"8K","class":"sram"},`, "regions[1]: want no overlap with Q"},
		{`"regions":[`, `"regions":[{"name":"R","base":0,"size":"8K","class":"sram"},`, `regions[1].name: want a name of its own, found "R" twice`},
		{`"cacheable":true}`, `"cacheable":true},"reserve":[{"off":"63K","size":"2K"}]`, "regions[0].reserve[0]: want bytes inside"},
		{`"cacheable":true}`, `"cacheable":1}`, "regions[0].cpu.cacheable: want true or false, found a number"},
		{`"cacheable":true}`, `"cacheable":true,"cacheable":true}`, "regions[0].cpu.cacheable: want each key once"},
		{`"temp":"R"`, `"temp":"R"]`, "line 3: want a JSON object"},
	} {
		require.Contains(t, good, c.old)
		_, err := board.Parse([]byte(strings.Replace(good, c.old, c.new, 1)))
		require.ErrorContains(t, err, c.want, c.new)
	}
}

// All mistakes of a file come together.
func TestAllMistakes(t *testing.T) {
	text := strings.NewReplacer(`"64K"`, `"64Q"`, `"sram"`, `"x"`, `"temp":"R"`, `"temp":"T","colour":1`).Replace(good)
	file := filepath.Join(t.TempDir(), "my.json")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	_, err := board.Load(file)
	for _, want := range []string{"my.json", "regions[0].size", "regions[0].class", "temp:", "colour:"} {
		require.ErrorContains(t, err, want)
	}
}

// Whatever bytes a profile has, reading it ends in a profile or an error.
func FuzzParse(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte(`{}`))
	f.Add([]byte(`[[[[`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := board.Parse(text)
		if err == nil {
			require.NotEmpty(t, p.Pools)
		}
	})
}

func TestUnknownName(t *testing.T) {
	_, err := board.Load("corstone-999")
	require.ErrorContains(t, err, `board: want one of host, alif-ensemble-e7,`)
	_, err = board.Load("no/such/file.json")
	require.ErrorIs(t, err, os.ErrNotExist)
}

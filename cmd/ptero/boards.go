package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/hal"
)

// boardJSON is a board as `boards --json` lists it.
type boardJSON struct {
	Name    string       `json:"name"`
	Pools   []poolJSON   `json:"pools"`
	Devices []deviceJSON `json:"devices"`
}

type deviceJSON struct {
	Name         string `json:"name"`
	Kind         string `json:"kind"`
	ClockHz      uint64 `json:"clock_hz"`
	SystemConfig string `json:"system_config,omitempty"` // Vela's name
}

type poolJSON struct {
	Name  string   `json:"name"`
	Class string   `json:"class"`
	Base  uint64   `json:"base"`
	Bytes uint64   `json:"bytes"`
	Line  uint32   `json:"line"`
	Seen  []string `json:"seen_by"`
}

func newBoards(c *console) *cobra.Command {
	var devices bool
	cmd := &cobra.Command{
		Use:   "boards [NAME|FILE.json]",
		Short: "List the boards that ptero knows, or show one",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if devices {
				return probe(c, "/")
			}
			if len(args) == 1 {
				spec, err := ptero.BoardSpec(args[0])
				if err != nil {
					return usageError{err}
				}
				b := describeBoard(spec)
				if c.json {
					return c.document(b)
				}
				b.print(c)
				return nil
			}
			var list []boardJSON
			for _, name := range ptero.BoardNames() {
				spec, err := ptero.BoardSpec(name)
				if err != nil {
					return err
				}
				list = append(list, describeBoard(spec))
			}
			if c.json {
				return c.document(list)
			}
			printBoards(c, list)
			return nil
		},
	}
	cmd.Flags().BoolVar(&devices, "probe", false, "list the Ethos-U devices of this machine's kernel instead")
	return cmd
}

func describeBoard(s hal.Spec) boardJSON {
	b := boardJSON{Name: s.Name, Devices: []deviceJSON{}, Pools: []poolJSON{}}
	for _, d := range s.Devices {
		b.Devices = append(b.Devices, deviceJSON{d.Name, d.Kind, d.ClockHz, d.SystemConfig})
	}
	for i := range s.Pools {
		p := &s.Pools[i]
		j := poolJSON{Name: p.Name, Class: p.Class.String(), Base: p.Base, Bytes: p.Size, Line: p.Line, Seen: []string{}}
		if p.Attr.Has(hal.Universal) {
			j.Seen = append(j.Seen, "every device")
		}
		for _, v := range p.Views {
			j.Seen = append(j.Seen, v.Device)
		}
		b.Pools = append(b.Pools, j)
	}
	return b
}

func printBoards(c *console, list []boardJSON) {
	g := newGrid("board", "NPU", "pools")
	for _, b := range list {
		var pools []string
		for _, p := range b.Pools {
			pools = append(pools, fmt.Sprintf("%s %s", p.Name, size(p.Bytes)))
		}
		g.row(b.Name, b.npus(), strings.Join(pools, ", "))
	}
	g.print(c, "")
}

func (b boardJSON) npus() string {
	var list []string
	for _, d := range b.Devices {
		list = append(list, d.Kind)
	}
	return strings.Join(list, ", ")
}

func (b boardJSON) print(c *console) {
	c.printf("%s\n", strings.TrimRight(b.Name+"  "+b.npus(), " "))
	g := newGrid("pool", "class", "base>", "bytes>", "line>", "seen by")
	for _, p := range b.Pools {
		g.row(p.Name, p.Class, fmt.Sprintf("0x%08x", p.Base), group(p.Bytes), p.Line, strings.Join(p.Seen, ", "))
	}
	g.print(c, "  ")
}

// size writes a round number of bytes with a unit: 512 KiB.
func size(n uint64) string {
	for _, u := range []struct {
		name  string
		shift uint
	}{{"GiB", 30}, {"MiB", 20}, {"KiB", 10}} {
		if n >= 1<<u.shift && n%(1<<u.shift) == 0 {
			return fmt.Sprintf("%d %s", n>>u.shift, u.name)
		}
	}
	return group(n) + " B"
}

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
	Devices []hal.Device `json:"devices"`
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
			names := ptero.BoardNames()
			if len(args) == 1 {
				names = args
			}
			for _, name := range names {
				spec, err := ptero.BoardSpec(name)
				if err != nil {
					return usageError{err}
				}
				b := describeBoard(spec)
				if c.json {
					if err := c.document(b); err != nil {
						return err
					}
					continue
				}
				b.print(c, len(args) == 1)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&devices, "probe", false, "list the Ethos-U devices of this machine's kernel instead")
	return cmd
}

func describeBoard(s hal.Spec) boardJSON {
	b := boardJSON{Name: s.Name, Devices: s.Devices, Pools: []poolJSON{}}
	if b.Devices == nil {
		b.Devices = []hal.Device{}
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

func (b boardJSON) print(c *console, whole bool) {
	var npus []string
	for _, d := range b.Devices {
		npus = append(npus, d.Kind)
	}
	if !whole {
		var pools []string
		for _, p := range b.Pools {
			pools = append(pools, fmt.Sprintf("%s %s", p.Name, size(p.Bytes)))
		}
		c.printf("%-22s %-22s %s\n", b.Name, strings.Join(npus, ", "), strings.Join(pools, ", "))
		return
	}
	c.printf("%s  %s\n", b.Name, strings.Join(npus, ", "))
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

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory/pack"
	"github.com/ptero-rt/ptero/plan"
)

// planJSON is what `plan --json` prints.
type planJSON struct {
	File    string `json:"file"`
	Board   string `json:"board"`
	Output  string `json:"output,omitempty"`
	Overlay string `json:"overlay,omitempty"`
	plan.Report
	Notes []string `json:"notes"`
}

func newPlan(c *console) *cobra.Command {
	var s setup
	var out, overlay, firmware, rows, objective string
	var pins []string
	var capacity int64
	o := plan.Options{}
	cmd := &cobra.Command{
		Use:   "plan FILE -o OUT.pte",
		Short: "Make a better memory plan for a program, without exporting it again",
		Long: "Plan makes the scratch of NPU delegates planned arguments, chooses a pool and an address for every buffer, and writes a\n" +
			"program that any ExecuTorch runtime loads (-o), or the plan alone, to be used with --use-overlay (--overlay). Without\n" +
			"either it reports only. Planning the result again changes nothing. Draw the difference with ptero fit --before.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if rows != "" {
				return planRows(c, rows, capacity)
			}
			if len(args) != 1 {
				return usageError{errors.New("plan: want a FILE, or --rows F.csv")}
			}
			var err error
			if o.Objective, err = parseObjective(objective); err != nil {
				return err
			}
			if o.Pins, err = parsePins(pins); err != nil {
				return err
			}
			return planFile(c, &s, args[0], out, overlay, firmware, o)
		},
	}
	s.boardFlags(cmd)
	cmd.Flags().StringVarP(&out, "output", "o", "", "write the program with its new plan to this file")
	cmd.Flags().StringVar(&overlay, "overlay", "", "write the plan alone to this file, to be used beside the program")
	cmd.Flags().StringVar(&firmware, "firmware", "", "write what an image for the board needs into this folder: the program, a linker script and a table of arenas in C")
	cmd.Flags().BoolVar(&o.AliasIO, "alias-io", false, "lay inputs and outputs of delegates inside their scratch, so that nothing is copied")
	cmd.Flags().BoolVar(&o.Strip, "strip", false, "take planned delegate scratch out again")
	cmd.Flags().StringArrayVar(&pins, "pin", nil, "keep buffers in a pool: scratch=POOL or mem_id:N=POOL (repeatable)")
	cmd.Flags().StringVar(&objective, "objective", "height", "what to make least: height (bytes, nearest pools first), traffic or energy")
	cmd.Flags().StringVar(&rows, "rows", "", "pack bare buffers: a CSV with the columns id, lower, upper, size")
	cmd.Flags().Int64Var(&capacity, "capacity", 0, "with --rows: the bytes that must suffice")
	return cmd
}

func parseObjective(s string) (pack.Objective, error) {
	for _, o := range []pack.Objective{pack.Height, pack.Traffic, pack.Energy} {
		if strings.EqualFold(s, o.String()) {
			return o, nil
		}
	}
	return 0, usageError{fmt.Errorf("--objective: want height, traffic or energy, found %q", s)}
}

func parsePins(list []string) ([]plan.Pin, error) {
	var pins []plan.Pin
	for _, text := range list {
		what, pool, ok := strings.Cut(text, "=")
		pin := plan.Pin{Pool: pool, Scratch: what == "scratch"}
		if id, isArena := strings.CutPrefix(what, "mem_id:"); isArena {
			n, err := strconv.ParseUint(id, 10, 32)
			if err != nil || n == 0 {
				return nil, usageError{fmt.Errorf("--pin %s: want mem_id:N with N from 1", text)}
			}
			pin.MemID = uint32(n)
		} else if !pin.Scratch {
			ok = false
		}
		if !ok || pool == "" {
			return nil, usageError{fmt.Errorf("--pin %s: want scratch=POOL or mem_id:N=POOL", text)}
		}
		pins = append(pins, pin)
	}
	return pins, nil
}

func planFile(c *console, s *setup, file, out, overlay, firmware string, o plan.Options) error {
	m, err := s.open(c, file)
	if err != nil {
		return err
	}
	defer m.Close()
	r, err := m.Plan(o)
	switch {
	case fault.CodeOf(err) == fault.MemoryAllocationFailed:
		return inPhase(exitFit, err)
	case fault.CodeOf(err) == fault.InvalidArgument: // a pin to a pool that the board does not have
		return usageError{err}
	case err != nil:
		return inPhase(exitFile, err)
	}
	j := planJSON{File: file, Board: m.Board().Name(), Output: out, Overlay: overlay, Report: r.Report, Notes: r.Notes}
	if j.Notes == nil {
		j.Notes = []string{}
	}
	if out != "" {
		b, err := r.File()
		if err != nil {
			return inPhase(exitFile, fault.Under(file, err))
		}
		if err := writeFile(out, b); err != nil {
			return err
		}
	}
	if firmware != "" {
		if err := writeFirmware(firmware, r); err != nil {
			return err
		}
	}
	if overlay != "" {
		b, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		text, err := json.MarshalIndent(r.Overlay(b), "", " ")
		if err != nil {
			return err
		}
		if err := writeFile(overlay, append(text, '\n')); err != nil {
			return err
		}
	}
	if c.json {
		return c.document(j)
	}
	j.print(c)
	return nil
}

// writeFirmware writes the sources for an image, and the program that goes with them.
func writeFirmware(dir string, r *plan.Result) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	program, err := r.File()
	if err != nil {
		return inPhase(exitFile, err)
	}
	f := r.Firmware()
	return errors.Join(writeFile(filepath.Join(dir, "program.pte"), program), writeFile(filepath.Join(dir, "ptero.ld"), f.Linker),
		writeFile(filepath.Join(dir, "ptero_pools.h"), f.Header), writeFile(filepath.Join(dir, "ptero_pools.c"), f.Source))
}

// writeFile writes a file whole or not at all.
func writeFile(path string, b []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(b)
	if err = errors.Join(err, f.Chmod(0o666), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func (j *planJSON) print(c *console) {
	c.printf("%s on board %s: %s B before, %s B after", j.File, j.Board, group(j.TotalBefore), group(j.TotalAfter))
	if j.TotalBefore > 0 {
		c.printf(" (%+.1f%%)", 100*(float64(j.TotalAfter)/float64(j.TotalBefore)-1))
	}
	c.printf("\n%d planned scratch arguments, %d arguments laid inside scratch\n\n", j.Scratch, j.Aliases)
	g := newGrid("pool", "before>", "after>", "lower bound>", "", "traffic before>", "after>", "copied before>", "after>")
	for _, p := range j.Pools {
		proof := ""
		if p.Optimal {
			proof = "optimal"
		}
		g.row(p.Name, group(p.Before), group(p.After), group(p.LowerBound), proof, group(p.TrafficBefore), group(p.TrafficAfter), group(p.MemcpyBefore), group(p.MemcpyAfter))
	}
	g.print(c, "")
	for _, n := range j.Notes {
		c.printf("note: %s\n", n)
	}
}

// rowsJSON is what `plan --rows --json` prints.
type rowsJSON struct {
	Offsets    []uint64 `json:"offsets"`
	Height     uint64   `json:"height"`
	LowerBound uint64   `json:"lower_bound"`
	Optimal    bool     `json:"optimal"`
	Seconds    float64  `json:"seconds"`
	Method     string   `json:"method"`
}

func planRows(c *console, path string, capacity int64) error {
	f, err := os.Open(path)
	if err != nil {
		return usageError{err}
	}
	defer f.Close()
	buffers, err := pack.ReadCSV(f)
	if err != nil {
		return inPhase(exitFile, fault.Under(path, err))
	}
	start := time.Now()
	var p *pack.Placement
	if capacity > 0 {
		p, err = pack.Fit(buffers, uint64(capacity), pack.Options{})
	} else {
		p, err = pack.Place(buffers, pack.Options{})
	}
	if err != nil {
		return inPhase(exitFit, fault.Under(path, err))
	}
	j := rowsJSON{Offsets: p.Offsets, Height: p.Height, LowerBound: p.LowerBound, Optimal: p.Optimal, Seconds: time.Since(start).Seconds(), Method: p.Method}
	if c.json {
		return c.document(j)
	}
	c.printf("%d buffers in %s B (at least %s B", len(buffers), group(j.Height), group(j.LowerBound))
	if j.Optimal {
		c.printf(", proved lowest")
	}
	c.printf("), by %s in %s\n", j.Method, nanos(j.Seconds*1e9))
	g := newGrid("buffer", "offset>", "bytes>")
	for i := range buffers {
		g.row(buffers[i].ID, group(j.Offsets[i]), group(buffers[i].Size))
	}
	g.print(c, "")
	return nil
}

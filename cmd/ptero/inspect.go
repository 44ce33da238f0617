package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ptero-rt/ptero/pte"
)

func newInspect(c *console) *cobra.Command {
	return &cobra.Command{
		Use:   "inspect FILE",
		Short: "Show what is in a .pte, .ptd, .bpte, or a bare NPU blob",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			f, err := openFile(args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			d, err := f.describe()
			if err != nil {
				return inPhase(exitFile, err)
			}
			if c.json {
				return c.document(d)
			}
			d.print(c)
			return nil
		},
	}
}

// programJSON is what inspect tells of a program.
type programJSON struct {
	File      string         `json:"file"`
	Kind      string         `json:"kind"`
	Bytes     int            `json:"bytes"`
	Version   uint32         `json:"version"`
	Methods   []methodJSON   `json:"methods"`
	Constants sizeJSON       `json:"constants"`
	State     sizeJSON       `json:"state"`
	NamedData []namedJSON    `json:"named_data,omitempty"`
	Segments  []segmentJSON  `json:"segments,omitempty"`
	Unknown   []string       `json:"unknown_fields,omitempty"`
	Suites    []suiteJSON    `json:"test_suites,omitempty"`
	Sizes     map[string]int `json:"sizes"`
}

type sizeJSON struct {
	Count int `json:"count"`
	Bytes int `json:"bytes"`
}

type namedJSON struct {
	Key   string `json:"key"`
	Bytes int    `json:"bytes"`
}

type segmentJSON struct {
	Offset uint64 `json:"offset"`
	Bytes  int    `json:"bytes"`
}

type suiteJSON struct {
	Method string `json:"method"`
	Cases  int    `json:"cases"`
}

type methodJSON struct {
	Name         string         `json:"name"`
	Inputs       []valueJSON    `json:"inputs"`
	Outputs      []valueJSON    `json:"outputs"`
	Arenas       []arenaJSON    `json:"arenas"`
	Values       int            `json:"values"`
	Instructions map[string]int `json:"instructions"`
	Operators    []operatorJSON `json:"operators"`
	Delegates    []delegateJSON `json:"delegates"`
	Control      []string       `json:"control_flow,omitempty"`
	State        []stateJSON    `json:"mutable_buffers,omitempty"`
}

type arenaJSON struct {
	MemID   uint32 `json:"mem_id"`
	Bytes   uint64 `json:"bytes"`
	Tensors int    `json:"tensors"`
	Device  string `json:"device,omitempty"`
}

type operatorJSON struct {
	Name  string `json:"name"`
	Calls int    `json:"calls"`
}

type delegateJSON struct {
	Index int               `json:"index"`
	ID    string            `json:"id"`
	Bytes int               `json:"bytes"`
	Calls []int             `json:"calls"`
	Sites []callSiteJSON    `json:"call_sites"`
	Specs map[string]string `json:"compile_specs,omitempty"`
	Blob  *blobJSON         `json:"blob,omitempty"`
}

type stateJSON struct {
	Name    string  `json:"name"`
	DType   string  `json:"dtype"`
	Sizes   []int32 `json:"sizes"`
	Initial bool    `json:"initial_state"`
}

func describeProgram(file string, size int, p *pte.Program) *programJSON {
	d := &programJSON{File: file, Kind: "pte", Bytes: size, Version: p.Version, Methods: []methodJSON{}, Unknown: p.Unknown, Sizes: map[string]int{}}
	d.Constants = countBytes(p.Constants)
	d.State = countBytes(p.State)
	for _, n := range p.NamedData {
		d.NamedData = append(d.NamedData, namedJSON{n.Key, len(n.Bytes)})
		d.Sizes["named_data"] += len(n.Bytes)
	}
	for _, s := range p.Segments {
		d.Segments = append(d.Segments, segmentJSON{s.Offset, len(s.Bytes)})
	}
	d.Sizes["constants"], d.Sizes["state"] = d.Constants.Bytes, d.State.Bytes
	blobs := map[*byte]bool{}
	for i := range p.Plans {
		d.Methods = append(d.Methods, describePlan(p, &p.Plans[i]))
		for _, g := range p.Plans[i].Delegates {
			if len(g.Blob) > 0 && !blobs[&g.Blob[0]] {
				blobs[&g.Blob[0]] = true
				d.Sizes["delegates"] += len(g.Blob)
			}
		}
	}
	rest := size
	for _, n := range d.Sizes {
		rest -= n
	}
	d.Sizes["program"] = max(rest, 0) // blobs may lie in named data, and be counted twice
	return d
}

func countBytes(list [][]byte) sizeJSON {
	var s sizeJSON
	for _, b := range list {
		if len(b) > 0 {
			s.Count++
			s.Bytes += len(b)
		}
	}
	return s
}

// call is an instruction of a delegate and its flat argument list.
type call struct {
	pc   int
	args []int32
}

func describePlan(p *pte.Program, m *pte.Plan) methodJSON {
	d := methodJSON{Name: m.Name, Values: len(m.Values), Inputs: []valueJSON{}, Outputs: []valueJSON{}, Arenas: []arenaJSON{},
		Operators: []operatorJSON{}, Delegates: []delegateJSON{}, Instructions: map[string]int{}}
	quant := quantisation(m)
	for _, i := range m.Inputs {
		d.Inputs = append(d.Inputs, describeValue(m, i, quant))
	}
	for _, i := range m.Outputs {
		d.Outputs = append(d.Outputs, describeValue(m, i, quant))
	}
	tensors := map[uint32]int{}
	for i := range m.Values {
		t := m.Values[i].Tensor
		if t == nil || t.Alloc == nil {
			continue
		}
		tensors[t.Alloc.MemID]++
		if t.FQN != "" || t.DataIndex > 0 {
			d.State = append(d.State, stateJSON{t.FQN, t.DType.String(), t.Sizes, t.DataIndex > 0 || t.Location == pte.External})
		}
	}
	for id := 1; id < len(m.BufferBytes); id++ {
		a := arenaJSON{MemID: uint32(id), Bytes: m.BufferBytes[id], Tensors: tensors[uint32(id)]}
		for _, b := range m.BufferDevices {
			if b.MemID == uint32(id) && b.Device.Type != pte.CPU {
				a.Device = fmt.Sprintf("device %d:%d", b.Device.Type, b.Device.Index)
			}
		}
		d.Arenas = append(d.Arenas, a)
	}
	calls := make([]int, len(m.Operators))
	delegateCalls := make([][]call, len(m.Delegates))
	pc := 0
	for ci, chain := range m.Chains {
		for ii, in := range chain.Instructions {
			switch in.Op {
			case pte.CallKernel:
				d.Instructions["kernel"]++
				calls[in.Target]++
			case pte.CallDelegate:
				d.Instructions["delegate"]++
				delegateCalls[in.Target] = append(delegateCalls[in.Target], call{pc, in.Args})
			case pte.Move:
				d.Instructions["move"]++
			case pte.JumpFalse:
				d.Instructions["jump_false"]++
				way := "forward"
				if int(in.Target) <= ii {
					way = "back"
				}
				d.Control = append(d.Control, fmt.Sprintf("chain %d: [%d] jumps %s to [%d] if value %d is false", ci, ii, way, in.Target, in.From))
			case pte.Free:
				d.Instructions["free"]++
			}
			pc++
		}
	}
	for i, o := range m.Operators {
		d.Operators = append(d.Operators, operatorJSON{o.FullName(), calls[i]})
	}
	for i, g := range m.Delegates {
		j := delegateJSON{Index: i, ID: g.ID, Bytes: len(g.Blob), Calls: []int{}, Sites: []callSiteJSON{}}
		arity, known := arityOf(p, m, i)
		for _, call := range delegateCalls[i] {
			j.Calls = append(j.Calls, call.pc)
			j.Sites = append(j.Sites, describeCallSite(m, call.pc, call.args, arity, known))
		}
		for _, s := range g.Specs {
			if j.Specs == nil {
				j.Specs = map[string]string{}
			}
			j.Specs[s.Key] = printable(s.Value)
		}
		j.Blob = describeBlob(p, &m.Delegates[i])
		d.Delegates = append(d.Delegates, j)
	}
	return d
}

// printable shows a compile spec's bytes as text where they are, else as hexadecimal, cut after 80 bytes.
func printable(b []byte) string {
	s := strings.TrimRight(string(b), "\x00")
	for _, r := range s {
		if r < 0x20 || r == 0x7F || r == 0xFFFD {
			return fmt.Sprintf("0x%x", b[:min(len(b), 40)])
		}
	}
	if len(s) > 80 {
		s = s[:80] + "…"
	}
	return s
}

func (d *programJSON) print(c *console) {
	c.printf("%s: %s, %s bytes", d.File, d.Kind, group(d.Bytes))
	c.printf(", %d constants (%s B)", d.Constants.Count, group(d.Constants.Bytes))
	if d.State.Count > 0 {
		c.printf(", initial state of %d buffers (%s B)", d.State.Count, group(d.State.Bytes))
	}
	c.printf("\n")
	for _, s := range d.Suites {
		c.printf("test suite %s: %d cases\n", s.Method, s.Cases)
	}
	var kinds []string
	for _, k := range []string{"constants", "state", "named_data", "delegates", "program"} {
		if n := d.Sizes[k]; n > 0 {
			kinds = append(kinds, fmt.Sprintf("%s %s B", strings.ReplaceAll(k, "_", " "), group(n)))
		}
	}
	c.printf("sizes: %s\n", strings.Join(kinds, ", "))
	for i, s := range d.Segments {
		if s.Bytes == 0 {
			continue
		}
		c.printf("segment %d: %s B at %s\n", i, group(s.Bytes), group(s.Offset))
	}
	for _, n := range d.NamedData {
		c.printf("named data %s: %s B\n", n.Key, group(n.Bytes))
	}
	for _, u := range d.Unknown {
		c.printf("field unknown to this version: %s\n", u)
	}
	for i := range d.Methods {
		d.Methods[i].print(c)
	}
}

func (m *methodJSON) print(c *console) {
	c.printf("\nmethod %s\n", m.Name)
	for i, v := range m.Inputs {
		c.printf("  input  %d  %s\n", i, v)
	}
	for i, v := range m.Outputs {
		c.printf("  output %d  %s\n", i, v)
	}
	for _, a := range m.Arenas {
		c.printf("  arena mem_id %d: %s B, %d tensors", a.MemID, group(a.Bytes), a.Tensors)
		if a.Device != "" {
			c.printf(", on %s", a.Device)
		}
		c.printf("\n")
	}
	for _, s := range m.State {
		initial := "no initial state"
		if s.Initial {
			initial = "with initial state"
		}
		c.printf("  mutable buffer %q %s %v, %s\n", s.Name, s.DType, s.Sizes, initial)
	}
	var kinds []string
	for _, k := range []string{"kernel", "delegate", "move", "jump_false", "free"} {
		if n := m.Instructions[k]; n > 0 {
			kinds = append(kinds, fmt.Sprintf("%d %s", n, k))
		}
	}
	c.printf("  instructions: %s\n", valueOr(strings.Join(kinds, ", "), "none"))
	if len(m.Operators) > 0 {
		g := newGrid("operator", "calls>")
		for _, o := range m.Operators {
			g.row(o.Name, o.Calls)
		}
		g.print(c, "  ")
	}
	for _, f := range m.Control {
		c.printf("  %s\n", f)
	}
	for _, g := range m.Delegates {
		c.printf("  delegate %d: %s, %s B, calls: %d\n", g.Index, g.ID, group(g.Bytes), len(g.Calls))
		for _, s := range g.Sites {
			c.printf("    %s\n", s)
		}
		if g.Blob != nil {
			g.Blob.printIndented(c, "    ")
		}
	}
}

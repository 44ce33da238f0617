package ethosu

import (
	"fmt"
	"strings"

	"github.com/ptero-rt/ptero/backends/ethosu/stream"
	"github.com/ptero-rt/ptero/executor"
)

// RegionUse is what a stream does with a region: bytes touched, counted from its start, and whether any are written.
type RegionUse struct {
	Region  int    `json:"region"`
	Role    string `json:"role"`
	Bytes   uint64 `json:"touched_bytes"`
	Written bool   `json:"written"`
}

// TensorRecord is an input or output of a blob for people and scripts.
type TensorRecord struct {
	Shape     []int  `json:"shape"`
	ElemBytes int    `json:"element_bytes"`
	Bytes     uint64 `json:"bytes"`
	Region    int    `json:"region"`
	Offset    uint64 `json:"offset"`
}

// Description is what is known of a blob, or of a bare driver payload, without running it.
type Description struct {
	Container     string         `json:"container"` // "vela_bin_stream", or "COP1" and "COP2" for a bare payload
	Payload       string         `json:"payload"`   // "COP1" or "COP2"
	Accelerator   string         `json:"accelerator"`
	ConfigWord    uint32         `json:"config_word"`
	ArchVersion   string         `json:"architecture"`
	SystemConfig  string         `json:"system_config,omitempty"` // from the compile specs
	MemoryMode    string         `json:"memory_mode,omitempty"`
	TimeoutNanos  int64          `json:"timeout_ns,omitempty"`
	External      []string       `json:"external_blocks,omitempty"` // kept in named data
	PayloadBytes  int            `json:"command_bytes"`
	StreamBytes   int            `json:"stream_bytes"`
	WeightBytes   int            `json:"weight_bytes"`
	ScratchBytes  uint64         `json:"scratch_bytes"`
	FastBytes     uint64         `json:"fast_scratch_bytes"` // region 2, by walking the stream: no container states it
	Commands      int            `json:"commands"`
	Operations    map[string]int `json:"operations"`
	Regions       []RegionUse    `json:"regions"`
	Inputs        []TensorRecord `json:"inputs"`
	Outputs       []TensorRecord `json:"outputs"`
	Problem       string         `json:"problem,omitempty"` // what of the stream could not be read
	Blob          *Blob          `json:"-"`                 // nil for a bare payload
	DriverPayload Commands       `json:"-"`
	Stream        *stream.Stream `json:"-"`
}

// Describe opens a vela_bin_stream, or a bare COP1 or COP2 driver payload, for people to look at. Damage in the command
// stream does not fail it but is reported in Problem. Specs are those of the delegate; nil where there are none.
func Describe(b []byte, lookUp LookUp, specs []executor.CompileSpec) (*Description, error) {
	d := &Description{Operations: map[string]int{}, Inputs: []TensorRecord{}, Outputs: []TensorRecord{}}
	target, err := ReadTarget(specs)
	if err != nil {
		return nil, err
	}
	d.SystemConfig, d.MemoryMode, d.TimeoutNanos = target.SystemConfig, target.MemoryMode, int64(target.Timeout)
	if IsBlob(b) {
		if d.Blob, err = Parse(b, lookUp); err != nil {
			return nil, err
		}
		d.Container, d.DriverPayload = streamMagic, d.Blob.Commands
		d.WeightBytes, d.ScratchBytes = len(d.Blob.Weights), d.Blob.ScratchBytes
		for _, block := range d.Blob.Blocks {
			if block.Key != "" {
				d.External = append(d.External, block.Name)
			}
		}
		d.Inputs, d.Outputs = records(d.Blob.Inputs), records(d.Blob.Outputs)
	} else if d.DriverPayload, err = ParseCommands(b); err != nil {
		return nil, err
	}
	c := d.DriverPayload
	d.Payload = fmt.Sprintf("COP%d", c.Version)
	if d.Container == "" {
		d.Container = d.Payload
	}
	d.Accelerator, d.ConfigWord = c.Accelerator.String(), c.ConfigWord
	major, minor, patch := c.ArchVersion()
	d.ArchVersion = fmt.Sprintf("%d.%d.%d", major, minor, patch)
	d.PayloadBytes, d.StreamBytes = len(c.Payload), len(c.Stream)
	d.walk()
	return d, nil
}

func records(list []Tensor) []TensorRecord {
	records := make([]TensorRecord, len(list))
	for i, t := range list {
		records[i] = TensorRecord{append([]int{}, t.Shape[:]...), t.ElemBytes, t.Bytes(), t.Region, t.Offset}
	}
	return records
}

// walk decodes the stream and counts what it does.
func (d *Description) walk() {
	var err error
	if d.Stream, err = stream.Decode(d.DriverPayload.Accelerator, d.DriverPayload.Stream); err != nil {
		d.Problem = err.Error()
	}
	d.Commands = len(d.Stream.Commands)
	var written [RegionCount]bool
	for i := range d.Stream.Ops {
		op := &d.Stream.Ops[i]
		d.Operations[op.Kind.String()]++
		for _, a := range op.Accesses() {
			if a.Write && !a.Tables {
				written[a.Region] = true
			}
		}
	}
	for region, n := range d.Stream.RegionBytes() {
		if n > 0 {
			d.Regions = append(d.Regions, RegionUse{region, roleOf(region), n, written[region]})
		}
	}
	d.FastBytes = d.Stream.RegionBytes()[RegionFastScratch]
}

func roleOf(region int) string {
	switch region {
	case RegionWeights:
		return "weights"
	case RegionScratch:
		return "scratch"
	case RegionFastScratch:
		return "fast scratch"
	}
	return "other"
}

// Summary is a few lines about the blob.
func (d *Description) Summary() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s for %s, architecture %s\n", d.Container, d.Payload, d.Accelerator, d.ArchVersion)
	if d.SystemConfig != "" || d.MemoryMode != "" {
		fmt.Fprintf(&b, "system config %s, memory mode %s\n", orDash(d.SystemConfig), orDash(d.MemoryMode))
	}
	if d.TimeoutNanos > 0 {
		fmt.Fprintf(&b, "timeout %d ns\n", d.TimeoutNanos)
	}
	fmt.Fprintf(&b, "commands %d B (stream %d B, %d commands)", d.PayloadBytes, d.StreamBytes, d.Commands)
	if d.Blob != nil {
		fmt.Fprintf(&b, ", weights %d B, scratch %d B", d.WeightBytes, d.ScratchBytes)
	}
	fmt.Fprintf(&b, ", fast scratch %d B\n", d.FastBytes)
	if len(d.External) > 0 {
		fmt.Fprintf(&b, "in named data: %s\n", strings.Join(d.External, ", "))
	}
	var kinds []string
	for k := stream.Conv; k <= stream.Branch; k++ {
		if n := d.Operations[k.String()]; n > 0 {
			kinds = append(kinds, fmt.Sprintf("%d %s", n, k))
		}
	}
	if len(kinds) > 0 {
		fmt.Fprintf(&b, "operations: %s\n", strings.Join(kinds, ", "))
	}
	for _, r := range d.Regions {
		verb := "read"
		if r.Written {
			verb = "read and written"
		}
		fmt.Fprintf(&b, "region %d (%s): %d B touched, %s\n", r.Region, r.Role, r.Bytes, verb)
	}
	ports := func(what string, list []TensorRecord) {
		for i, t := range list {
			fmt.Fprintf(&b, "%s %d: %v of %d B, region %d at %d\n", what, i, t.Shape, t.ElemBytes, t.Region, t.Offset)
		}
	}
	ports("input", d.Inputs)
	ports("output", d.Outputs)
	if d.Problem != "" {
		fmt.Fprintf(&b, "not read further: %s\n", d.Problem)
	}
	return b.String()
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// Line is one command of a disassembled stream.
type Line struct {
	Offset int         `json:"offset"` // byte in the stream
	Words  []uint32    `json:"words"`
	Name   string      `json:"name"`
	Fields []LineField `json:"fields,omitempty"`
	Text   string      `json:"text"`
}

// LineField is a decoded field: its value, and the name of the value where it has one.
type LineField struct {
	Name  string `json:"name"` // empty where the command has a single value
	Value int64  `json:"value"`
	Text  string `json:"text"`
}

// Lines disassembles the stream, a command a line.
func (d *Description) Lines() []Line {
	product := d.DriverPayload.Accelerator.Product
	list := make([]Line, len(d.Stream.Commands))
	for i, c := range d.Stream.Commands {
		r, _ := stream.Lookup(product, c.Code)
		line := Line{Offset: c.Offset, Words: []uint32{uint32(c.Param)<<16 | uint32(c.Code)}, Name: r.Name, Text: c.Format(product)}
		if c.Code.Wide() {
			line.Words = append(line.Words, c.Payload)
		}
		for _, f := range r.Fields {
			line.Fields = append(line.Fields, LineField{f.Name, f.Value(c), f.Format(c)})
		}
		list[i] = line
	}
	return list
}

// Disassemble writes every command of the stream: its byte offset, its words, its name and its decoded fields. Operations
// stand out by a blank line after them.
func (d *Description) Disassemble() string {
	var b strings.Builder
	for _, l := range d.Lines() {
		words := fmt.Sprintf("%08x", l.Words[0])
		if len(l.Words) > 1 {
			words += fmt.Sprintf(" %08x", l.Words[1])
		}
		fmt.Fprintf(&b, "%#06x  %-17s  %s\n", l.Offset, words, l.Text)
		if strings.HasPrefix(l.Name, "NPU_OP_") {
			b.WriteByte('\n')
		}
	}
	if d.Problem != "" {
		fmt.Fprintf(&b, "not read further: %s\n", d.Problem)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

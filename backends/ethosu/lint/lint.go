package lint

import (
	"errors"
	"fmt"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// Severity says whether a finding refuses a stream.
type Severity string

// The severities. An error is memory or a result that cannot be relied on; a warning is unusual but has a defined result.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Rules of findings.
const (
	RuleStream        = "stream"           // a word that is no command of the product, or registers that contradict each other
	RuleUnset         = "register_unset"   // an operation reads a register that nothing wrote
	RuleBounds        = "region_bounds"    // bytes beyond the region
	RuleMissing       = "region_missing"   // a region that the job does not have
	RuleReadOnly      = "region_readonly"  // a write to the weights
	RuleHazard        = "hazard"           // a wait is missing
	RuleTableAddress  = "vela-lut-address" // a look-up table is loaded behind the end of the table memory
	RuleTableUnloaded = "table_unloaded"   // a look-up table is read that nothing loaded
	RuleGlobalScale   = "global_scale"     // one scale is used although a stream of scales was just set
	RuleReserved      = "reserved_bits"    // bits outside every field are set
	RuleAlignment     = "alignment"        // an address that the product wants aligned is not
	RuleCores         = "driver_cores"     // a weight stream without a base and without bytes
	RuleBuffer        = "driver_buffer"    // the kernel driver counts more bytes of a region than the container has
)

// Finding is one thing that is wrong with a stream.
type Finding struct {
	Severity Severity `json:"severity"`
	Rule     string   `json:"rule"`
	Offset   int      `json:"offset"` // byte in the stream
	Message  string   `json:"message"`
}

func (f Finding) String() string {
	return fmt.Sprintf("%s %s at byte %#x: %s", f.Severity, f.Rule, f.Offset, f.Message)
}

// Unknown is the size of a region that nobody stated.
const Unknown = -1

// Memory holds the bytes of each region of a job, or Unknown.
type Memory [ethosu.RegionCount]int64

// AnyMemory is the memory of a stream that came without a container.
func AnyMemory() Memory {
	var m Memory
	for i := range m {
		m[i] = Unknown
	}
	return m
}

// MemoryOf gives the regions of a container's job. The fast scratch is as large as the stream needs: the container does not
// state it.
func MemoryOf(b *ethosu.Blob) Memory {
	m := Memory{ethosu.RegionWeights: int64(len(b.Weights)), ethosu.RegionScratch: int64(b.ScratchBytes)}
	m[ethosu.RegionFastScratch] = Unknown
	return m
}

// Report is all that is known of a stream.
type Report struct {
	Verdict  Verdict
	Findings []Finding
}

// Accepted says whether the stream has no error and the kernel driver, where there is one, takes it.
func (r *Report) Accepted() bool {
	for _, f := range r.Findings {
		if f.Severity == Error {
			return false
		}
	}
	return !r.Verdict.Supported || r.Verdict.Accepted
}

// Check looks at a command stream: little-endian words that end with NPU_OP_STOP.
func Check(a stream.Accelerator, b []byte, memory Memory) *Report {
	r := &Report{Verdict: Judge(a, b)}
	r.Findings = append(r.Findings, r.Verdict.Notes...)
	s, err := stream.Decode(a, b)
	if err != nil {
		var e *stream.Error
		offset, fault := 0, err.Error()
		if errors.As(err, &e) {
			offset, fault = e.Offset, e.Fault
		}
		r.add(Error, RuleStream, offset, "%s", fault)
	}
	c := checker{Report: r, stream: s, memory: memory}
	c.unset()
	c.reserved()
	c.operations()
	for _, h := range s.Hazards() {
		r.add(Error, RuleHazard, s.Ops[h.Op].Offset, "%s %s", s.Ops[h.Op].Kind, h)
	}
	c.buffers()
	return r
}

func (r *Report) add(s Severity, rule string, offset int, format string, args ...any) {
	r.Findings = append(r.Findings, Finding{s, rule, offset, fmt.Sprintf(format, args...)})
}

// buffers compares what the kernel driver counts with what the container has.
func (c *checker) buffers() {
	if !c.Verdict.Accepted {
		return
	}
	for region, want := range c.Verdict.RegionBytes {
		have := c.memory[region]
		if have == Unknown || want <= uint64(have) {
			continue
		}
		severity := Warning
		if want > maxBuffer {
			severity = Error
		}
		c.add(severity, RuleBuffer, 0, "the kernel driver counts %d B of region %d, the job has %d B: give it a buffer of that size", want, region, have)
	}
}

// maxBuffer is more than the driver's contiguous memory has on any board.
const maxBuffer = 1 << 32

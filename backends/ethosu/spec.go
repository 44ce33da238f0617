package ethosu

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
)

// Target is what the compile specs say a blob was made for. Names are Vela's; empty where the specs do not tell.
type Target struct {
	Accelerator  string // "ethos-u55-128"
	SystemConfig string
	MemoryMode   string
	Timeout      time.Duration // 0: not given
}

// Keys of compile specs (pytorch/executorch backends/arm/ethosu/compile_spec.py and
// backends/arm/runtime/EthosUBackend_Cortex_A.cpp at cff6f4dd).
const (
	specFlags   = "compile_flags"
	specTimeout = "ethosu.timeout_ns"
)

// ReadTarget reads a delegate's compile specs.
func ReadTarget(specs []executor.CompileSpec) (Target, error) {
	var t Target
	for _, s := range specs {
		text := strings.TrimRight(string(s.Value), "\x00")
		switch s.Key {
		case specFlags:
			for _, flag := range strings.Fields(text) {
				name, value, _ := strings.Cut(flag, "=")
				switch name {
				case "--accelerator-config":
					t.Accelerator = value
				case "--system-config":
					t.SystemConfig = value
				case "--memory-mode":
					t.MemoryMode = value
				}
			}
		case specTimeout:
			ns, err := strconv.ParseUint(text, 10, 63)
			if err != nil && len(s.Value) == 8 {
				ns, err = binary.LittleEndian.Uint64(s.Value), nil
			}
			if err != nil || ns == 0 || ns > 1<<62 {
				return t, &fault.Error{Path: "compile spec " + specTimeout, Rule: "timeout", Want: "nanoseconds above 0, as text or 8 bytes",
					Found: fmt.Sprintf("%q", s.Value[:min(len(s.Value), 32)]), Code: fault.InvalidProgram}
			}
			t.Timeout = time.Duration(ns)
		}
	}
	return t, nil
}

// dedicated says whether the compiler put tensors into a fast scratch beside a scratch in slower memory.
func (t *Target) dedicated() bool { return strings.HasPrefix(t.MemoryMode, "Dedicated_Sram") }

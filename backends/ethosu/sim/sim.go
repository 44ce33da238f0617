// Package sim is a functional simulator of the Ethos-U55, U65 and U85 NPUs: it executes command streams and gives the
// bytes that the silicon gives.
//
// What the NPU computes does not depend on blocks, waits and shared memory, so the simulator works on whole operations:
//
//	Load     decode the stream, refuse what cannot run, decode the weights, reserve buffers
//	Wait     for each operation: operands → dense buffers → accumulators → scale, clamp, table → memory
//
// Operations that no known compiler emits are refused when a network is loaded, with the name of what is missing.
// Facts about the hardware that Arm's interface headers leave open were settled by running what Vela 5.1 compiles
// against the TOSA reference model.
package sim

import (
	"context"
	"hash/maphash"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/stream"
	"github.com/ptero-rt/ptero/internal/workers"
)

// Options choose what is simulated. The zero value takes every accelerator and uses all cores.
type Options struct {
	Accelerator stream.Accelerator // zero: what each stream asks for
	Workers     int                // goroutines that share an operation; 0: GOMAXPROCS
	Strict      bool               // also refuse streams that read memory that nobody wrote, or that lack a wait
}

// Simulator is a simulated NPU. It satisfies [ethosu.NPU] and may be used by several goroutines.
type Simulator struct {
	options Options
	pool    *workers.Pool
	seed    maphash.Seed
	vector  vector
	general bool // for tests: no packed path
}

var _ ethosu.NPU = (*Simulator)(nil)

// New returns a simulator. Close ends its workers.
func New(o Options) *Simulator {
	return &Simulator{options: o, pool: workers.New(o.Workers), seed: maphash.MakeSeed(), vector: newVector()}
}

// Accelerator returns the configuration that was asked for; zero: any.
func (s *Simulator) Accelerator() stream.Accelerator { return s.options.Accelerator }

// Load decodes and plans a network.
func (s *Simulator) Load(n ethosu.Network) (ethosu.Loaded, error) { return s.LoadProgram(n) }

// Reset does nothing: a job runs only while its Wait does.
func (s *Simulator) Reset(context.Context) error { return nil }

// Close ends the workers. No network of s may be running or be used afterwards.
func (s *Simulator) Close() error {
	s.pool.Close()
	return nil
}

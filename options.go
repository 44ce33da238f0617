package ptero

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.uber.org/zap/zapcore"

	"github.com/ptero-rt/ptero/backends/cpu"
	"github.com/ptero-rt/ptero/backends/ethosu"
	ethosusim "github.com/ptero-rt/ptero/backends/ethosu/sim"
	"github.com/ptero-rt/ptero/backends/ethosu/stream"
	"github.com/ptero-rt/ptero/backends/nxp"
	nxpsim "github.com/ptero-rt/ptero/backends/nxp/sim"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/hal/board"
	"github.com/ptero-rt/ptero/hal/sim"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/internal/workers"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// Option changes what a model runs on.
type Option func(*settings) error

type settings struct {
	file      *pte.File
	board     hal.Board
	space     *memory.Space
	boardName string
	npu       string
	data      []string
	overlay   string
	threads   int
	budget    int
	strategy  memory.Strategy
	ops       []executor.Op
	backends  []executor.Backend
	log       zapcore.Core
}

// On runs on a board that the caller opened and will close. The model's space is then the only one to carve it: models
// that share a board share a space, see In.
func On(b hal.Board) Option {
	return func(s *settings) error { s.board, s.space = b, nil; return nil }
}

// In runs in a space that the caller made, beside the other models in it, on the space's board.
func In(space *memory.Space) Option {
	return func(s *settings) error { s.board, s.space = space.Board(), space; return nil }
}

// BoardNamed runs on a simulated board: a name that BoardNames lists, or a profile file. The default is "host".
func BoardNamed(nameOrFile string) Option {
	return func(s *settings) error { s.boardName = nameOrFile; return nil }
}

// NPU fixes the product of the simulated board's NPU ("ethos-u55-128"); without it the board takes the program's.
func NPU(kind string) Option {
	return func(s *settings) error { s.npu = kind; return nil }
}

// Data adds external weights: `.ptd` files, searched in order.
func Data(paths ...string) Option {
	return func(s *settings) error { s.data = append(s.data, paths...); return nil }
}

// Overlay uses the plan in an overlay file in place of the program's own; New wants From beside it, since it belongs to one file.
func Overlay(path string) Option {
	return func(s *settings) error { s.overlay = path; return nil }
}

// From names the open file that a parsed program came from: messages name it, an overlay is checked against it, and its
// bundle is the model's. The file stays the caller's.
func From(f *pte.File) Option {
	return func(s *settings) error { s.file = f; return nil }
}

// Threads limits the cores that kernels use; 0 means all.
func Threads(n int) Option {
	return func(s *settings) error {
		if n < 0 {
			return fault.New(fault.InvalidArgument, "threads", "0 or more", fmt.Sprint(n))
		}
		s.threads = n
		return nil
	}
}

// Budget limits the instructions of one run; 0 means executor.DefaultBudget.
func Budget(n int) Option {
	return func(s *settings) error {
		if n < 0 {
			return fault.New(fault.InvalidArgument, "budget", "0 or more", fmt.Sprint(n))
		}
		s.budget = n
		return nil
	}
}

// Hold says how methods hold memory between runs.
func Hold(st memory.Strategy) Option {
	return func(s *settings) error { s.strategy = st; return nil }
}

// Operators adds operators, in front of the built-in ones of the same name.
func Operators(ops ...executor.Op) Option {
	return func(s *settings) error {
		for _, op := range ops {
			if op.Name == "" || op.Run == nil {
				return fault.New(fault.InvalidArgument, fmt.Sprintf("operator %q", op.Name), "a Run and a Name", "none")
			}
		}
		s.ops = append(s.ops, ops...)
		return nil
	}
}

// Backends adds delegate backends, in front of the built-in ones of the same name.
func Backends(list ...executor.Backend) Option {
	return func(s *settings) error { s.backends = append(s.backends, list...); return nil }
}

// Logger takes the log of phase boundaries and device events, at the debug level: the Core of a zap.Logger. Nothing is
// logged while a method runs. (The logger itself would bring net/http into every program that links this package.)
func Logger(core zapcore.Core) Option {
	return func(s *settings) error { s.log = core; return nil }
}

// ParseStrategy reads "static", "dynamic" or "shared".
func ParseStrategy(s string) (memory.Strategy, error) { return memory.ParseStrategy(s) }

// operators gives the built-in operators.
func operators() executor.Ops { return cpu.Ops() }

// backends wires the built-in backends to the simulated devices of a board.
func backends(b hal.Board, w *workers.Pool) []executor.Backend {
	return []executor.Backend{
		ethosu.NewBackend(ethosusim.New(ethosusim.Options{Workers: w.Size()}), ethosu.Options{}),
		nxp.NewBackend(nxpsim.New(), 0),
	}
}

// BoardNames lists the boards that BoardNamed knows by name, "host" first.
func BoardNames() []string { return board.Names() }

// BoardSpec reads a board without opening it: a name that BoardNames lists, or a profile file.
func BoardSpec(nameOrFile string) (hal.Spec, error) {
	if nameOrFile == "" {
		nameOrFile = "host"
	}
	p, err := board.Load(nameOrFile)
	if err != nil {
		return hal.Spec{}, err
	}
	return p.Spec, nil
}

// CheckBoard says whether there is a board of that name or profile file, and whether its NPU can be the product ("" for any).
func CheckBoard(nameOrFile, npu string) error {
	_, err := boardWith(nameOrFile, npu)
	return err
}

// openBoard opens a simulated board by name or profile file. npu replaces the product of its NPU.
func openBoard(nameOrFile, npu string) (hal.Board, error) {
	spec, err := boardWith(nameOrFile, npu)
	if err != nil {
		return nil, err
	}
	return sim.Open(spec, sim.Options{})
}

func boardWith(nameOrFile, npu string) (hal.Spec, error) {
	spec, err := BoardSpec(nameOrFile)
	if err != nil || npu == "" {
		return spec, err
	}
	if _, err := stream.ParseAccelerator(npu); err != nil && !strings.HasPrefix(npu, "neutron-") {
		return spec, fault.New(fault.InvalidArgument, "npu", `a product such as "ethos-u55-128" or "neutron-n3"`, strconv.Quote(npu))
	}
	family, _, _ := strings.Cut(npu, "-")
	for _, kind := range []string{npu, npu[:strings.LastIndex(npu, "-")], family} {
		i := slices.IndexFunc(spec.Devices, func(d hal.Device) bool { return hal.IsKind(d.Kind, kind) })
		if i < 0 {
			continue
		}
		device := spec.Devices[i]
		device.Kind = npu
		spec.Devices = append(slices.DeleteFunc(spec.Devices, func(d hal.Device) bool { return hal.IsKind(d.Kind, family) }), device)
		return spec, nil
	}
	if spec.Name != "host" {
		return spec, fault.New(fault.InvalidArgument, spec.Name+".devices", "an NPU to be "+npu, "none of that make")
	}
	spec.Devices = []hal.Device{{Name: "npu0", Kind: npu}}
	return spec, nil
}

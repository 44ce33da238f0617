package cycles

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// Memory is a memory behind one of the NPU's AXI interfaces.
type Memory struct {
	Name                      string  // "SRAM", "DRAM", "flash"
	ClockScale                float64 // of its clock to the NPU's
	Ports                     int
	BurstBytes                int // greatest burst
	ReadLatency, WriteLatency int // NPU cycles
	MaxReads                  int // outstanding
}

// System is a system configuration of Vela: the NPU's clock and its two memories. The figures are those of Vela's
// vela.ini 5.1 and stand for no particular chip.
type System struct {
	Name      string
	ClockHz   float64
	SRAM      Memory
	Secondary Memory // on the second interface
}

func sram(burst, latency, ports, reads int) Memory {
	return Memory{"SRAM", 1, ports, burst, latency, latency, reads}
}

func flash(scale float64, latency int) Memory {
	return Memory{"flash", scale, 1, 128, latency, 0, 2}
}

func dram(scale float64, ports, reads int) Memory {
	return Memory{"DRAM", scale, ports, 128, 500, 250, reads}
}

// Systems lists Vela's system configurations.
func Systems() []System {
	return []System{
		{"Ethos_U55_Deep_Embedded", 200e6, sram(32, 32, 1, 8), flash(0.0625, 64)},
		{"Ethos_U55_High_End_Embedded", 500e6, sram(32, 32, 1, 4), flash(0.125, 64)},
		{"Ethos_U65_Embedded", 500e6, sram(32, 32, 1, 8), flash(0.0625, 64)},
		{"Ethos_U65_Mid_End", 500e6, sram(32, 32, 1, 8), dram(0.46875, 1, 12)},
		{"Ethos_U65_High_End", 1e9, sram(32, 32, 1, 16), dram(0.234375, 1, 24)},
		{"Ethos_U65_Client_Server", 1e9, sram(32, 32, 1, 16), dram(0.75, 1, 24)},
		{"Ethos_U85_SYS_Flash_Low", 200e6, sram(64, 8, 2, 8), flash(0.0625, 32)},
		{"Ethos_U85_SYS_Flash_High", 500e6, sram(64, 32, 2, 8), flash(0.0625, 64)},
		{"Ethos_U85_SYS_DRAM_Low", 500e6, sram(64, 16, 2, 8), dram(0.46875, 1, 24)},
		{"Ethos_U85_SYS_DRAM_Mid", 1e9, sram(64, 32, 2, 8), dram(0.75, 1, 64)},
		{"Ethos_U85_SYS_DRAM_High", 1e9, sram(64, 32, 4, 8), dram(0.75, 2, 64)},
	}
}

// SystemNamed returns the system configuration with a name of vela.ini.
func SystemNamed(name string) (System, error) {
	for _, s := range Systems() {
		if s.Name == name {
			return s, nil
		}
	}
	return System{}, fmt.Errorf("system configuration %q: want one of Vela's, such as Ethos_U55_High_End_Embedded", name)
}

// DefaultSystem returns the system configuration and memory mode that ExecuTorch compiles for unless told.
func DefaultSystem(a stream.Accelerator) (System, MemoryMode) {
	name, mode := "Ethos_U55_High_End_Embedded", SharedSRAM
	switch a.Product {
	case stream.U65:
		name, mode = "Ethos_U65_High_End", DedicatedSRAM
	case stream.U85:
		name, mode = "Ethos_U85_SYS_DRAM_Mid", SRAMOnly
	}
	s, _ := SystemNamed(name)
	return s, mode
}

// MemoryMode says which memory each region of a stream lies in.
type MemoryMode uint8

// The memory modes of Vela. The sizes of Dedicated_Sram_*KB matter to the compiler only.
const (
	SRAMOnly      MemoryMode = iota // everything in SRAM
	SharedSRAM                      // weights in the second memory
	DedicatedSRAM                   // weights and scratch in the second memory, fast scratch in SRAM
)

// ParseMemoryMode reads a memory mode as Vela writes it, such as "Dedicated_Sram_384KB".
func ParseMemoryMode(name string) (MemoryMode, error) {
	switch name {
	case "Sram_Only":
		return SRAMOnly, nil
	case "Shared_Sram":
		return SharedSRAM, nil
	case "Dedicated_Sram", "Dedicated_Sram_256KB", "Dedicated_Sram_384KB", "Dedicated_Sram_512KB":
		return DedicatedSRAM, nil
	}
	return 0, fmt.Errorf("memory mode %q: want Sram_Only, Shared_Sram or Dedicated_Sram", name)
}

// memory is a memory as one accelerator sees it.
type memory struct {
	*Memory
	bandwidth float64 // bytes a cycle
	port      int
}

// memories holds what each region of the stream lies in.
type memories [8]memory

func memoriesOf(a stream.Accelerator, s *System, mode MemoryMode) memories {
	axi := 16.0
	if a.Product == stream.U55 {
		axi = 8
	}
	see := func(m *Memory, port int) memory { return memory{m, m.ClockScale * axi * float64(m.Ports), port} }
	fast, second := see(&s.SRAM, PortSRAM), see(&s.Secondary, PortSecondary)
	var list memories
	for r := range list {
		list[r] = fast
	}
	if mode != SRAMOnly {
		list[0] = second
	}
	if mode == DedicatedSRAM {
		for r := range list {
			if r != 2 {
				list[r] = second
			}
		}
	}
	return list
}

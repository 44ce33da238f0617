package hal

import "strings"

// Spec is a board as data: what a profile file says, and what a simulated board is built from.
type Spec struct {
	Name      string
	Pools     []Pool
	Devices   []Device
	Placement Placement
}

// Host is the board "host": one coherent pool seen by every device, which satisfies every class and memory mode, takes
// every mem_id and supplies fast scratch that the file does not plan. Its bytes cost nothing until they are touched.
func Host() Spec {
	const size = hostBytes
	return Spec{
		Name: "host",
		Pools: []Pool{{
			Name: "host", Class: DRAM, Attr: CPURead | CPUWrite | CPUCached | Coherent | Universal,
			Base: 0x8000_0000, Size: size, Align: 4096,
		}},
		Placement: Placement{Default: 0, Temp: 0, Fast: 0, FastBytes: size, Constants: 0},
	}
}

// hostBytes is 64 GiB of addresses, or 512 MiB where int has 32 bits.
const hostBytes = uint64(512<<20) << (7 * (^uint(0) >> 63))

// ViewOf gives pool id as a device sees it. The device is named either as the board names it ("npu0") or by its kind
// or a prefix of it ("ethos-u", "ethos-u55"); where several devices have the kind, the first that reaches the pool counts.
func ViewOf(b Board, id PoolID, device string) (View, bool) {
	pools := b.Pools()
	if int(id) >= len(pools) {
		return View{}, false
	}
	return viewOf(&pools[id], b.Devices(), device)
}

func viewOf(p *Pool, devices []Device, device string) (View, bool) {
	if v, ok := p.View(device); ok {
		return v, true
	}
	for i := range devices {
		if IsKind(devices[i].Kind, device) {
			if v, ok := p.View(devices[i].Name); ok {
				return v, true
			}
		}
	}
	return View{}, false
}

// IsKind says whether a device of kind is one of family: the same kind, or a prefix of it that ends before a number or a
// dash ("ethos-u" and "ethos-u55" of "ethos-u55-256").
func IsKind(kind, family string) bool {
	rest, ok := strings.CutPrefix(kind, family)
	if !ok || family == "" {
		return false
	}
	return rest == "" || rest[0] == '-' || (rest[0] >= '0' && rest[0] <= '9' && (family[len(family)-1] < '0' || family[len(family)-1] > '9'))
}

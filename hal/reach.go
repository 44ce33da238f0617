package hal

import "fmt"

// Reach is what one kind of device sees of a board's memory. It is made once and may be used by several goroutines; See
// does not allocate.
type Reach struct {
	board     Board
	simulated Simulated // nil on hardware
	device    string
	views     []View   // by pool; Limit 0: not visible
	bases     []uint64 // by pool, as the CPU sees it
}

// Seen is a region as a device sees it. Bytes are the device's own view on a simulated board, the CPU's on hardware.
type Seen struct {
	Bytes []byte
	Addr  uint64
}

// NewReach makes the reach of the devices of a kind ("ethos-u", "neutron"). A nil board stands for plain memory that the
// device shares with the CPU.
func NewReach(b Board, kind string) *Reach {
	r := &Reach{board: b, device: kind}
	if b == nil {
		return r
	}
	r.simulated, _ = b.(Simulated)
	pools := b.Pools()
	for i := range pools {
		view, _ := ViewOf(b, PoolID(i), kind)
		r.views, r.bases = append(r.views, view), append(r.bases, pools[i].Base)
	}
	return r
}

// Board is the board, nil for plain memory.
func (r *Reach) Board() Board { return r.board }

// See says where a region lies on the board and what it is to the device. Bytes from outside the pools (a mapped file) are
// looked for with Locate.
func (r *Reach) See(region Region) (Region, Seen, error) {
	if r.board == nil || len(region.Bytes) == 0 {
		return region, Seen{region.Bytes, region.Addr}, nil
	}
	if region.Pool == NoPool {
		located, ok := r.board.Locate(region.Bytes)
		if !ok {
			return region, Seen{}, fmt.Errorf("want memory that %s reaches, found %d B outside of the board's pools", r.device, len(region.Bytes))
		}
		region = located
	}
	if int(region.Pool) >= len(r.views) || r.views[region.Pool].Limit == 0 {
		return region, Seen{}, fmt.Errorf("want a pool that %s reaches, found pool %d", r.device, region.Pool)
	}
	seen := Seen{region.Bytes, r.views[region.Pool].Base + region.Addr - r.bases[region.Pool]}
	if r.simulated == nil {
		return region, seen, nil
	}
	var err error
	seen.Bytes, err = r.simulated.DeviceBytes(r.device, region)
	return region, seen, err
}

//go:build cgo

package simc

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"sync"
	"unsafe"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/sim"
	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// device is the process's NPUs: one simulator, and a driver for each that the program initialised.
type device struct {
	mu      sync.Mutex
	freed   *sync.Cond
	sim     *sim.Simulator
	drivers []*driver // in the order of ethosu_init
	seed    maphash.Seed
}

var process = newDevice()

func newDevice() *device {
	d := &device{sim: sim.New(sim.Options{}), seed: maphash.MakeSeed()}
	d.freed = sync.NewCond(&d.mu)
	return d
}

// driver is a simulated NPU behind one struct ethosu_driver, which is known by its address.
type driver struct {
	handle      uintptr
	accelerator stream.Accelerator // zero: any
	fast        []byte             // what region 2 is instead of the caller's
	own         []byte             // region 2 where nobody brings one
	reserved    bool
	last        ethosu.Commands // of the last payload

	mu     sync.Mutex
	run    *run
	loaded map[network]ethosu.Loaded
	order  []network // of loaded, oldest first
}

// network tells payloads and weights apart by their content: a program may use memory again.
type network struct{ payload, weights uint64 }

// run is a job that was started and not yet waited for.
type run struct {
	job  ethosu.Job
	stop context.CancelFunc
	done chan struct{} // closed when the job no longer touches memory
	err  error
}

// maxLoaded bounds the networks that a driver keeps decoded.
const maxLoaded = 32

// add makes a driver ready, anew if it was known.
func (d *device) add(handle uintptr, fast []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.remove(handle)
	d.drivers = append(d.drivers, &driver{handle: handle, fast: fast, loaded: map[network]ethosu.Loaded{}})
	d.freed.Broadcast()
}

// remove forgets a driver; d.mu is held.
func (d *device) remove(handle uintptr) {
	for i, x := range d.drivers {
		if x.handle == handle {
			x.reset()
			d.drivers = append(d.drivers[:i], d.drivers[i+1:]...)
			return
		}
	}
}

func (d *device) find(handle uintptr) (*driver, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, x := range d.drivers {
		if x.handle == handle {
			return x, nil
		}
	}
	return nil, errors.New("want a driver that ethosu_init or ethosu_reserve_driver gave, have another")
}

// reserve waits for a driver that takes what accelerator was made for; zero: any will do. 0: there is none of that kind.
func (d *device) reserve(accelerator stream.Accelerator) uintptr {
	d.mu.Lock()
	defer d.mu.Unlock()
	for {
		suits := false
		for _, x := range d.drivers {
			if accelerator != (stream.Accelerator{}) && x.accelerator != (stream.Accelerator{}) && x.accelerator != accelerator {
				continue
			}
			suits = true
			if !x.reserved {
				x.reserved = true
				return x.handle
			}
		}
		if !suits {
			return 0
		}
		d.freed.Wait()
	}
}

func (d *device) release(handle uintptr) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, x := range d.drivers {
		if x.handle == handle {
			x.reserved = false
		}
	}
	d.freed.Broadcast()
}

// memory is a base address and a size that C gave; size is Unknown where it gave none.
type memory struct {
	base uint64
	size int64
}

const unknown = -1

func (m memory) bytes(n int64) []byte {
	at := uintptr(m.base) // memory of the C program
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&at)), n)
}

// start begins a job. The payload is copied; weights and scratch stay the caller's until the job ends. ended is called
// from another goroutine when the job no longer touches them.
func (x *driver) start(payload []byte, regions []memory, ended func(cycles uint64)) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.run != nil {
		return errors.New("want ethosu_wait for the job before, have another invocation")
	}
	commands, err := ethosu.ParseCommands(append([]byte{}, payload...))
	if err != nil {
		return err
	}
	if x.accelerator != (stream.Accelerator{}) && x.accelerator != commands.Accelerator {
		return fmt.Errorf("want a payload for %s, have one for %s", x.accelerator, commands.Accelerator)
	}
	decoded, err := stream.Decode(commands.Accelerator, commands.Stream)
	if err != nil {
		return err
	}
	r := &run{done: make(chan struct{})}
	if err := x.bind(&r.job, decoded.RegionBytes(), regions); err != nil {
		return err
	}
	loaded, err := x.load(commands, r.job.Regions[ethosu.RegionWeights])
	if err != nil {
		return err
	}
	if err := loaded.Submit(&r.job); err != nil {
		return err
	}
	x.last = commands
	var ctx context.Context
	ctx, r.stop = context.WithCancel(context.Background())
	x.run = r
	go func() {
		counted, err := loaded.Wait(ctx)
		r.err = err
		ended(counted.Cycles)
		close(r.done)
	}()
	return nil
}

// bind finds the memory behind each region.
func (x *driver) bind(job *ethosu.Job, need [ethosu.RegionCount]uint64, regions []memory) error {
	for r, n := range need {
		var m memory
		if r < len(regions) {
			m = regions[r]
		}
		if r == ethosu.RegionFastScratch && len(x.fast) == 0 && m.base == 0 && n > 0 {
			x.own = append(x.own, make([]byte, max(int(n)-len(x.own), 0))...)
			job.Regions[r].Bytes = x.own
			continue
		}
		if r == ethosu.RegionFastScratch && len(x.fast) > 0 {
			job.Regions[r].Bytes = x.fast
			continue
		}
		if m.base%ethosu.Alignment != 0 {
			return fmt.Errorf("region %d: want an address that is a multiple of %d, have %#x", r, ethosu.Alignment, m.base)
		}
		if m.size == unknown {
			m.size = int64(n)
		}
		if m.base == 0 && n > 0 {
			return fmt.Errorf("region %d: want %d bytes, have no memory", r, n)
		}
		if m.base != 0 && m.size > 0 {
			job.Regions[r] = ethosu.Region{Bytes: m.bytes(m.size), Addr: m.base}
		}
	}
	return nil
}

// load finds a network that was decoded before, or decodes it.
func (x *driver) load(c ethosu.Commands, weights ethosu.Region) (ethosu.Loaded, error) {
	key := network{maphash.Bytes(process.seed, c.Payload), maphash.Bytes(process.seed, weights.Bytes)}
	if found, ok := x.loaded[key]; ok {
		return found, nil
	}
	loaded, err := process.sim.Load(ethosu.Network{Commands: c, Weights: ethosu.Region{Bytes: append([]byte{}, weights.Bytes...)}})
	if err != nil {
		return nil, err
	}
	if len(x.order) == maxLoaded {
		old := x.order[0]
		x.order = x.order[1:]
		if err := x.loaded[old].Close(); err != nil {
			return nil, err
		}
		delete(x.loaded, old)
	}
	x.loaded[key], x.order = loaded, append(x.order, key)
	return loaded, nil
}

// running gives the job that was not waited for, nil where there is none.
func (x *driver) running() *run {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.run
}

// finish forgets the job after it ended.
func (x *driver) finish() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.run = nil
}

// reset stops the job, waits until it no longer touches memory, and says whether there was one.
func (x *driver) reset() bool {
	r := x.running()
	if r == nil {
		return false
	}
	r.stop()
	<-r.done
	x.finish()
	return true
}

// ended says whether the job no longer touches memory.
func (r *run) ended() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

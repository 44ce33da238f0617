//go:build cgo && ethosu_core

package core

/*
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The driver's interface, restated: whoever links this program brings the driver.
struct ethosu_driver;
struct ethosu_hw_info {
	uint32_t version_status, version_minor, version_major, product_major, arch_patch_rev, arch_minor_rev, arch_major_rev;
	uint32_t macs_per_cc, cmd_stream_version, custom_dma;
};

extern struct ethosu_driver *ethosu_reserve_driver(void);
extern void ethosu_release_driver(struct ethosu_driver *);
extern int ethosu_invoke_async(struct ethosu_driver *, const void *, const int, uint64_t *const, const size_t *, const int, void *);
extern int ethosu_wait(struct ethosu_driver *, bool);
extern int ethosu_soft_reset(struct ethosu_driver *);
extern void ethosu_get_hw_info(struct ethosu_driver *, struct ethosu_hw_info *);
// Not every build of the driver has these.
extern struct ethosu_driver *ethosu_reserve_driver_ex(uint32_t, uint32_t) __attribute__((weak));
extern void ETHOSU_PMU_Enable(struct ethosu_driver *) __attribute__((weak));
extern void ETHOSU_PMU_Disable(struct ethosu_driver *) __attribute__((weak));
extern void ETHOSU_PMU_CNTR_Enable(struct ethosu_driver *, uint32_t) __attribute__((weak));
extern void ETHOSU_PMU_CYCCNT_Reset(struct ethosu_driver *) __attribute__((weak));
extern uint64_t ETHOSU_PMU_Get_CCNTR(struct ethosu_driver *) __attribute__((weak));

typedef struct ethosu_driver driver;

static driver *ptero_reserve(uint32_t product, uint32_t macs) {
	return ethosu_reserve_driver_ex ? ethosu_reserve_driver_ex(product, macs) : ethosu_reserve_driver();
}
static void ptero_count(driver *d) {
	if (!ETHOSU_PMU_Enable || !ETHOSU_PMU_CNTR_Enable || !ETHOSU_PMU_CYCCNT_Reset) return;
	ETHOSU_PMU_Enable(d);
	ETHOSU_PMU_CYCCNT_Reset(d);
	ETHOSU_PMU_CNTR_Enable(d, 1u << 31);
}
static uint64_t ptero_counted(driver *d) {
	if (!ETHOSU_PMU_Get_CCNTR) return 0;
	uint64_t n = ETHOSU_PMU_Get_CCNTR(d);
	if (ETHOSU_PMU_Disable) ETHOSU_PMU_Disable(d);
	return n;
}
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"
	"unsafe"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// ErrMissing marks a program without the core driver.
var ErrMissing = errors.New("the Ethos-U core driver is not part of this program")

// NPU is the Ethos-U behind the core driver that is linked into this program. It satisfies [ethosu.NPU]; several
// goroutines may use it, their jobs wait for a driver to be free.
type NPU struct {
	mu      sync.Mutex
	running map[*C.driver]struct{} // those whose job may still be running
}

var _ ethosu.NPU = (*NPU)(nil)

// Open gives the core driver that is linked into this program. The program has initialised it: ethosu_init belongs to
// the board's start-up code.
func Open() (*NPU, error) { return &NPU{running: map[*C.driver]struct{}{}}, nil }

// Accelerator returns the zero value: the driver itself compares what a payload was made for with its hardware.
func (n *NPU) Accelerator() stream.Accelerator { return stream.Accelerator{} }

// Hardware is the configuration that a free driver reports; zero where it does not know.
func (n *NPU) Hardware() (stream.Accelerator, error) {
	d := C.ethosu_reserve_driver()
	if d == nil {
		return stream.Accelerator{}, errNone
	}
	defer C.ethosu_release_driver(d)
	var hw C.struct_ethosu_hw_info
	C.ethosu_get_hw_info(d, &hw)
	if hw.macs_per_cc == 0 {
		return stream.Accelerator{}, nil
	}
	product, ok := map[C.uint32_t]stream.Product{4: stream.U55, 6: stream.U65, 7: stream.U85}[hw.product_major]
	if !ok {
		return stream.Accelerator{}, fmt.Errorf("ethos-u core driver: want product 4, 6 or 7, have %d", hw.product_major)
	}
	return stream.Accelerator{Product: product, MACs: 1 << hw.macs_per_cc}, nil
}

var errNone = errors.New("ethos-u core driver: want a driver that takes the payload, have none")

// Load keeps the network; the driver takes it with each job.
func (n *NPU) Load(network ethosu.Network) (ethosu.Loaded, error) {
	p := network.Commands.Payload
	if len(p) == 0 {
		return nil, errors.New("ethos-u core driver: want a driver payload, have none")
	}
	if at := uintptr(unsafe.Pointer(&p[0])); at%ethosu.Alignment != 0 {
		return nil, fmt.Errorf("ethos-u core driver: want a payload at a multiple of %d, have %#x", ethosu.Alignment, at)
	}
	l := &loaded{npu: n, network: network}
	l.kept.Pin(l)
	l.kept.Pin(&p[0])
	return l, nil
}

// Reset stops every job and gives the drivers back.
func (n *NPU) Reset(context.Context) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	for d := range n.running {
		if st := C.ethosu_soft_reset(d); st != 0 {
			return fmt.Errorf("ethos-u core driver: soft reset failed with status %d", int(st))
		}
		C.ethosu_release_driver(d)
		delete(n.running, d)
	}
	return nil
}

// Close is Reset.
func (n *NPU) Close() error { return n.Reset(context.Background()) }

// loaded is a network; its job's addresses live here, because the driver reads them until the job ends.
type loaded struct {
	npu     *NPU
	network ethosu.Network
	driver  *C.driver // of the job that was submitted
	job     *ethosu.Job
	base    [ethosu.RegionCount]C.uint64_t
	size    [ethosu.RegionCount]C.size_t
	start   time.Time
	kept    runtime.Pinner // what the driver keeps addresses of: l itself and the payload, until Close
	lent    runtime.Pinner // the memory of the last job
}

// Submit reserves a driver and starts the job. It waits for one to be free.
func (l *loaded) Submit(job *ethosu.Job) error {
	if l.driver != nil {
		return errors.New("ethos-u core driver: want the job before to be waited for, have another")
	}
	l.lent.Unpin()
	count := ethosu.RegionFastScratch + 1
	for r := range job.Regions {
		l.base[r], l.size[r] = 0, C.size_t(len(job.Regions[r].Bytes))
		if l.size[r] > 0 {
			l.base[r] = C.uint64_t(uintptr(unsafe.Pointer(&job.Regions[r].Bytes[0])))
			l.lent.Pin(&job.Regions[r].Bytes[0])
			count = max(count, r+1)
		}
	}
	c := l.network.Commands
	d := C.ptero_reserve(C.uint32_t(c.Accelerator.Product), C.uint32_t(c.ConfigWord&15))
	if d == nil {
		return errNone
	}
	C.ptero_count(d)
	l.start = time.Now()
	if st := C.ethosu_invoke_async(d, unsafe.Pointer(&c.Payload[0]), C.int(len(c.Payload)), &l.base[0], &l.size[0], C.int(count), nil); st != 0 {
		C.ethosu_release_driver(d)
		return fmt.Errorf("ethos-u core driver: the job was refused with status %d", int(st))
	}
	l.driver, l.job = d, job
	l.npu.mu.Lock()
	l.npu.running[d] = struct{}{}
	l.npu.mu.Unlock()
	return nil
}

// pollFor is how long Wait sleeps between two looks at the job, at first and at most.
const (
	pollFirst = 20 * time.Microsecond
	pollLast  = time.Millisecond
)

// Wait polls the job. After an error that leaves it running, the driver stays reserved until Reset.
func (l *loaded) Wait(ctx context.Context) (ethosu.Counters, error) {
	if l.driver == nil {
		return ethosu.Counters{}, errors.New("ethos-u core driver: want a submitted job, have none")
	}
	d, timeout := l.driver, l.job.Timeout
	for pause := pollFirst; ; pause = min(2*pause, pollLast) {
		switch st := C.ethosu_wait(d, false); {
		case st == 1:
		case st == 0:
			cycles := uint64(C.ptero_counted(d))
			l.end()
			return ethosu.Counters{Cycles: cycles}, nil
		default:
			l.end()
			return ethosu.Counters{}, fmt.Errorf("ethos-u core driver: the job failed with status %d", int(st))
		}
		err := ctx.Err()
		if err == nil && timeout > 0 && time.Since(l.start) > timeout {
			err = ethosu.ErrTimeout
		}
		if err != nil {
			l.driver, l.job = nil, nil
			return ethosu.Counters{}, fmt.Errorf("ethos-u core driver: %w", err)
		}
		time.Sleep(pause)
	}
}

// end gives the driver back.
func (l *loaded) end() {
	l.npu.mu.Lock()
	delete(l.npu.running, l.driver)
	l.npu.mu.Unlock()
	C.ethosu_release_driver(l.driver)
	l.driver, l.job = nil, nil
}

// Close forgets the network. Its job has ended, or was reset.
func (l *loaded) Close() error {
	l.lent.Unpin()
	l.kept.Unpin()
	return nil
}

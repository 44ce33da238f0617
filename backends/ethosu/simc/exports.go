//go:build cgo

package simc

/*
#cgo CFLAGS: -I${SRCDIR}/include
#cgo linux LDFLAGS: -lpthread
#define ETHOSU_NO_PROTOTYPES
#include "ethosu_driver.h"
#include <stdlib.h>

typedef struct ethosu_driver driver;
typedef const void *const_pointer;
typedef const char *const_text;
typedef const size_t *const_sizes;

extern struct ethosu_driver ptero_ethosu_default;
void ptero_ethosu_count(struct ethosu_driver *drv, uint64_t cycles);
void ptero_ethosu_begin(struct ethosu_driver *drv);
void ptero_ethosu_end(struct ethosu_driver *drv);
void *ptero_ethosu_semaphore(void);
void ptero_ethosu_drop(void *sem);
int ptero_ethosu_give(void *sem);
int ptero_ethosu_take(void *sem);
*/
import "C"

import (
	"sync"
	"unsafe"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// reason keeps why the last call failed, in C memory.
var reason struct {
	sync.Mutex
	text *C.char
}

// fail keeps the reason and gives the status that goes with it.
func fail(err error) C.int {
	if err == nil {
		return 0
	}
	reason.Lock()
	defer reason.Unlock()
	C.free(unsafe.Pointer(reason.text))
	reason.text = C.CString(err.Error())
	return -1
}

//export ptero_ethosu_last_error
func ptero_ethosu_last_error() C.const_text {
	reason.Lock()
	defer reason.Unlock()
	return C.const_text(reason.text)
}

func handle(drv *C.driver) uintptr { return uintptr(unsafe.Pointer(drv)) }

// pointer gives the struct back: it is the caller's memory, or the library's default in C.
func pointer(h uintptr) *C.driver { return *(**C.driver)(unsafe.Pointer(&h)) }

//export ethosu_init
func ethosu_init(drv *C.driver, registers unsafe.Pointer, fast C.const_pointer, fastBytes C.size_t, secure, privileged C.uint32_t) C.int {
	if drv == nil {
		return fail(errNoDriver)
	}
	*drv = C.driver{}
	drv.semaphore = C.ptero_ethosu_semaphore()
	drv.fast_memory, drv.fast_memory_size = C.uint64_t(uintptr(fast)), fastBytes
	var region []byte
	if fast != nil && fastBytes > 0 {
		region = unsafe.Slice((*byte)(fast), fastBytes)
	}
	process.add(handle(drv), region)
	return 0
}

//export ethosu_deinit
func ethosu_deinit(drv *C.driver) {
	if drv == nil {
		return
	}
	process.mu.Lock()
	process.remove(handle(drv))
	process.mu.Unlock()
	if drv.semaphore != nil {
		C.ptero_ethosu_drop(drv.semaphore)
		drv.semaphore = nil
	}
}

//export ethosu_soft_reset
func ethosu_soft_reset(drv *C.driver) C.int {
	x, err := process.find(handle(drv))
	if err != nil {
		return fail(err)
	}
	if x.reset() {
		C.ptero_ethosu_take(drv.semaphore) // what the job gave
	}
	drv.job.state = C.ETHOSU_JOB_IDLE
	return 0
}

//export ethosu_request_power
func ethosu_request_power(drv *C.driver) C.int {
	drv.power_request_counter++
	return 0
}

//export ethosu_release_power
func ethosu_release_power(drv *C.driver) {
	if drv.power_request_counter > 0 {
		drv.power_request_counter--
	}
}

//export ethosu_get_driver_version
func ethosu_get_driver_version(v *C.struct_ethosu_driver_version) {
	v.major, v.minor, v.patch = C.ETHOSU_DRIVER_VERSION_MAJOR, C.ETHOSU_DRIVER_VERSION_MINOR, C.ETHOSU_DRIVER_VERSION_PATCH
}

//export ethosu_get_hw_info
func ethosu_get_hw_info(drv *C.driver, hw *C.struct_ethosu_hw_info) {
	*hw = C.struct_ethosu_hw_info{}
	x, err := process.find(handle(drv))
	if err != nil {
		fail(err)
		return
	}
	id, config := x.identity()
	hw.version = C.struct_ethosu_id{version_status: C.uint32_t(id & 15), version_minor: C.uint32_t(id >> 4 & 15), version_major: C.uint32_t(id >> 8 & 15),
		product_major: C.uint32_t(id >> 12 & 15), arch_patch_rev: C.uint32_t(id >> 16 & 15), arch_minor_rev: C.uint32_t(id >> 20 & 255), arch_major_rev: C.uint32_t(id >> 28)}
	hw.cfg = C.struct_ethosu_config{macs_per_cc: C.uint32_t(config & 15), cmd_stream_version: C.uint32_t(config >> 4 & 15), custom_dma: C.uint32_t(config >> 27 & 1)}
}

//export ethosu_invoke_async
func ethosu_invoke_async(drv *C.driver, data C.const_pointer, size C.int, base *C.uint64_t, sizes C.const_sizes, n C.int, user unsafe.Pointer) C.int {
	x, err := process.find(handle(drv))
	if err != nil {
		return fail(err)
	}
	if data == nil || size <= 0 || n < 0 || n > ethosu.RegionCount || base == nil && n > 0 {
		return fail(errArguments)
	}
	regions := make([]memory, n)
	for i := range regions {
		regions[i] = memory{uint64(unsafe.Slice(base, n)[i]), unknown}
		if sizes != nil {
			regions[i].size = int64(unsafe.Slice((*C.size_t)(sizes), n)[i])
		}
	}
	if uintptr(data)%ethosu.Alignment != 0 {
		return fail(errPayloadAlign)
	}
	drv.job = C.struct_ethosu_job{state: C.ETHOSU_JOB_RUNNING, custom_data_ptr: unsafe.Pointer(data), custom_data_size: size, base_addr: base, base_addr_size: sizes,
		num_base_addr: n, user_arg: user}
	C.ptero_ethosu_begin(drv)
	err = x.start(unsafe.Slice((*byte)(data), size), regions, func(cycles uint64) {
		C.ptero_ethosu_count(drv, C.uint64_t(cycles))
		drv.job.state = C.ETHOSU_JOB_DONE
		C.ptero_ethosu_give(drv.semaphore)
	})
	if err != nil {
		drv.job.state, drv.job.result = C.ETHOSU_JOB_IDLE, C.ETHOSU_JOB_RESULT_ERROR
		C.ptero_ethosu_end(drv)
	}
	return fail(err)
}

//export ethosu_wait
func ethosu_wait(drv *C.driver, block C.bool) C.int {
	x, err := process.find(handle(drv))
	if err != nil {
		return fail(err)
	}
	r := x.running()
	if r == nil {
		return -2
	}
	if !bool(block) && !r.ended() {
		return 1
	}
	drv.job.result = C.ETHOSU_JOB_RESULT_OK
	err = nil
	if C.ptero_ethosu_take(drv.semaphore) < 0 {
		r.stop()
		<-r.done
		C.ptero_ethosu_take(drv.semaphore) // what the job gave when it ended after all
		drv.job.result, err = C.ETHOSU_JOB_RESULT_TIMEOUT, ethosu.ErrTimeout
	} else if <-r.done; r.err != nil {
		err = r.err
		drv.job.result = C.ETHOSU_JOB_RESULT_ERROR
	}
	drv.job.state = C.ETHOSU_JOB_IDLE
	x.finish()
	C.ptero_ethosu_end(drv)
	return fail(err)
}

//export ethosu_invoke_v3
func ethosu_invoke_v3(drv *C.driver, data C.const_pointer, size C.int, base *C.uint64_t, sizes C.const_sizes, n C.int, user unsafe.Pointer) C.int {
	if st := ethosu_invoke_async(drv, data, size, base, sizes, n, user); st < 0 {
		return st
	}
	return ethosu_wait(drv, true)
}

//export ethosu_invoke_auto
func ethosu_invoke_auto(data C.const_pointer, size C.int, base *C.uint64_t, sizes C.const_sizes, n C.int, user unsafe.Pointer) C.int {
	a, err := acceleratorOf(data, size)
	if err != nil {
		return fail(err)
	}
	drv := reserve(a)
	if drv == nil {
		return -1
	}
	defer ethosu_release_driver(drv)
	return ethosu_invoke_v3(drv, data, size, base, sizes, n, user)
}

func acceleratorOf(data C.const_pointer, size C.int) (stream.Accelerator, error) {
	if data == nil || size <= 0 {
		return stream.Accelerator{}, errArguments
	}
	c, err := ethosu.ParseCommands(unsafe.Slice((*byte)(data), size))
	return c.Accelerator, err
}

//export ethosu_get_product_config_from_cop_data
func ethosu_get_product_config_from_cop_data(data C.const_pointer, size C.int, product, log2MACs *C.uint32_t) C.int {
	a, err := acceleratorOf(data, size)
	if err != nil {
		return fail(err)
	}
	*product, *log2MACs = C.uint32_t(a.Product), C.uint32_t(a.ConfigWord()&15)
	return 0
}

// first gives programs that never call ethosu_init their driver.
var first sync.Once

func reserve(a stream.Accelerator) *C.driver {
	first.Do(func() {
		process.mu.Lock()
		none := len(process.drivers) == 0
		process.mu.Unlock()
		if none {
			ethosu_init(&C.ptero_ethosu_default, nil, nil, 0, 0, 0)
		}
	})
	h := process.reserve(a)
	if h == 0 {
		fail(errNoDriver)
		return nil
	}
	drv := pointer(h)
	drv.reserved = true
	return drv
}

//export ethosu_reserve_driver
func ethosu_reserve_driver() *C.driver { return reserve(stream.Accelerator{}) }

//export ethosu_reserve_driver_ex
func ethosu_reserve_driver_ex(product, log2MACs C.uint32_t) *C.driver {
	a, err := stream.AcceleratorOf(configWord(uint32(product), uint32(log2MACs)))
	if err != nil {
		fail(err)
		return nil
	}
	return reserve(a)
}

//export ethosu_release_driver
func ethosu_release_driver(drv *C.driver) {
	if drv != nil {
		drv.reserved = false
		process.release(handle(drv))
	}
}

//export ptero_ethosu_fix
func ptero_ethosu_fix(drv *C.driver, name C.const_text) C.int {
	x, err := process.find(handle(drv))
	if err != nil {
		return fail(err)
	}
	var a stream.Accelerator
	if name != nil {
		if a, err = stream.ParseAccelerator(C.GoString(name)); err != nil {
			return fail(err)
		}
	}
	process.mu.Lock()
	defer process.mu.Unlock()
	x.accelerator = a
	return 0
}

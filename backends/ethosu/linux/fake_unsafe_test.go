package linux

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"
	"unsafe"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/lint"
	"github.com/ptero-rt/ptero/backends/ethosu/sim"
	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// fake is a kernel in the process: both drivers, with the simulator as hardware. It records the calls, fails the n-th,
// and hangs jobs.
type fake struct {
	accelerator stream.Accelerator
	sram        uint32
	npu         *sim.Simulator

	calls  []string
	fail   int // the call that fails, from 1; 0: none
	hang   int // jobs that never end by themselves
	status uint32

	clock   int64
	next    int
	files   map[int]string // open descriptors and what they are
	memory  map[int][]byte // of buffers, by descriptor or handle
	streams map[int][]byte // checked command streams by handle
	job     map[int][8]int // running jobs: regions by number, by the handle or descriptor that is waited for
	maps    int
}

var errInjected = errors.New("injected")

func newFake(a stream.Accelerator, npu *sim.Simulator) *fake {
	return &fake{accelerator: a, sram: 384 << 10, npu: npu, next: 2, files: map[int]string{}, memory: map[int][]byte{}, streams: map[int][]byte{}, job: map[int][8]int{}}
}

func (f *fake) call(name string) error {
	f.calls = append(f.calls, name)
	if len(f.calls) == f.fail {
		return errInjected
	}
	return nil
}

func (f *fake) add(what string) int {
	f.next++
	f.files[f.next] = what
	return f.next
}

func (f *fake) open(path string) (int, error) {
	if err := f.call("open " + path); err != nil {
		return 0, err
	}
	return f.add("device"), nil
}

func (f *fake) close(fd int) error {
	if _, ok := f.files[fd]; !ok {
		return syscall.EBADF
	}
	delete(f.files, fd)
	return f.call("close")
}

func (f *fake) mmap(fd int, offset int64, length int) ([]byte, error) {
	if err := f.call("mmap"); err != nil {
		return nil, err
	}
	key := fd
	if offset > 0 {
		key = int(offset >> 12)
	}
	b := f.memory[key]
	if len(b) < length {
		return nil, syscall.EINVAL
	}
	f.maps++
	return b[:length], nil
}

func (f *fake) munmap([]byte) error {
	f.maps--
	return f.call("munmap")
}

func (f *fake) monotonic() int64 { return f.clock }

func (f *fake) gaveUp(err error) bool { return errors.Is(err, syscall.ETIME) }

func (f *fake) poll(fd int, timeout time.Duration) (bool, error) {
	if err := f.call("poll"); err != nil {
		return false, err
	}
	if f.hang > 0 {
		f.clock += int64(timeout)
		return false, nil
	}
	return true, f.run(fd)
}

// as reads a request's struct where it lies.
func as[T any](arg []byte) *T { return (*T)(unsafe.Pointer(unsafe.SliceData(arg))) }

func at[T any](address uint64) *T {
	p := uintptr(address)
	return *(**T)(unsafe.Pointer(&p))
}

func (f *fake) ioctl(fd int, request uint32, arg []byte) (int, error) {
	if want := int(request >> 16 & 0x3fff); want != len(arg) {
		return 0, fmt.Errorf("request %#x with %d bytes", request, len(arg))
	}
	if _, ok := f.files[fd]; !ok {
		return 0, syscall.EBADF
	}
	name := map[uint32]string{drmDevQuery: "query", drmBOCreate: "bo", drmBOWait: "wait", drmBOMmapOffset: "offset", drmStreamCreate: "stream", drmSubmit: "submit",
		drmGemClose: "drop", legacyPing: "ping", legacyGetCapabilities: "capabilities", legacyCreateBuffer: "buffer", legacySetBuffer: "set", legacyCreateNetwork: "network",
		legacyCreateInference: "inference", legacyGetStatus: "status", legacyCancelInference: "cancel"}[request]
	if err := f.call(name); err != nil {
		return 0, err
	}
	switch request {
	case drmDevQuery:
		*at[npuInfo](as[devQuery](arg).Pointer) = npuInfo{0x10066001, f.accelerator.ConfigWord(), f.sram}
	case drmBOCreate:
		c := as[boCreate](arg)
		c.Handle = uint32(f.add("bo"))
		f.memory[int(c.Handle)] = make([]byte, (c.Bytes+4095)&^4095)
	case drmBOMmapOffset:
		o := as[boMmapOffset](arg)
		o.Offset = uint64(o.Handle) << 12
	case drmStreamCreate:
		c := as[streamCreate](arg)
		b := append([]byte{}, unsafe.Slice(at[byte](c.Data), c.Bytes)...)
		if !lint.Judge(f.accelerator, b).Accepted {
			return 0, syscall.EINVAL
		}
		c.Handle = uint32(f.add("stream"))
		f.streams[int(c.Handle)] = b
	case drmSubmit:
		return 0, f.submit(at[drmJob](as[submit](arg).Jobs))
	case drmBOWait:
		w := as[boWait](arg)
		if _, running := f.job[int(w.Handle)]; running && f.hang > 0 {
			f.clock = w.TimeoutNs
			return 0, syscall.ETIME
		}
		return 0, f.run(int(w.Handle))
	case drmGemClose:
		return 0, f.close(int(as[gemClose](arg).Handle))
	case legacyGetCapabilities:
		c := as[legacyCapabilities](arg)
		c.ProductMajor, c.MACs = map[stream.Product]uint32{stream.U55: 4, stream.U65: 6, stream.U85: 7}[f.accelerator.Product], f.accelerator.ConfigWord()&15
	case legacyCreateBuffer:
		fd := f.add("buffer")
		f.memory[fd] = make([]byte, as[legacyBufferCreate](arg).Capacity)
		return fd, nil
	case legacyCreateNetwork:
		network := f.add("network")
		f.streams[network] = f.memory[int(as[legacyNetworkCreate](arg).FD)]
		return network, nil
	case legacyCreateInference:
		c := as[legacyInferenceCreate](arg)
		if c.Type != inferenceOp || c.InputCount != 2 {
			return 0, syscall.EINVAL
		}
		inference := f.add("inference")
		f.streams[inference] = f.streams[fd]
		f.job[inference] = [8]int{int(c.Inputs[0]), int(c.Inputs[1])}
		return inference, nil
	case legacyGetStatus:
		*as[legacyResult](arg) = legacyResult{Status: f.status, CycleCount: 12345}
	case legacyCancelInference:
		f.hang = max(f.hang-1, 0)
		delete(f.job, fd)
	}
	return 0, nil
}

// submit checks a job as the kernel does: a buffer for each region that the stream uses, and for no other.
func (f *fake) submit(job *drmJob) error {
	b, ok := f.streams[int(job.Stream)]
	if !ok {
		return syscall.ENOENT
	}
	verdict := lint.Judge(f.accelerator, b)
	if job.Regions[2] != 0 && job.SRAMBytes > 0 || job.SRAMBytes > f.sram {
		return syscall.EINVAL
	}
	var regions [8]int
	fence := 0
	for r, handle := range job.Regions {
		n := verdict.RegionBytes[r]
		switch {
		case handle == 0 && (n == 0 || r == 2 && n <= uint64(f.sram)):
			continue
		case handle != 0 && n == 0:
			return syscall.EINVAL
		case n > uint64(len(f.memory[int(handle)])):
			return syscall.EOVERFLOW
		}
		regions[r] = int(handle)
		if verdict.Written[r] && fence == 0 {
			fence = int(handle)
		}
	}
	f.streams[fence] = b
	f.job[fence] = regions
	return nil
}

// run does the job that is waited for on the simulator.
func (f *fake) run(key int) error {
	regions, ok := f.job[key]
	if !ok {
		return nil
	}
	delete(f.job, key)
	c := ethosu.Commands{Stream: f.streams[key], Accelerator: f.accelerator}
	if parsed, err := ethosu.ParseCommands(f.streams[key]); err == nil {
		c = parsed
	}
	loaded, err := f.npu.Load(ethosu.Network{Commands: c, Weights: ethosu.Region{Bytes: f.memory[regions[0]]}})
	if err != nil {
		return err
	}
	job := &ethosu.Job{}
	for r, at := range regions {
		if at != 0 {
			job.Regions[r].Bytes = f.memory[at]
		}
	}
	if job.Regions[2].Bytes == nil {
		job.Regions[2].Bytes = make([]byte, f.sram)
	}
	if err := loaded.Submit(job); err != nil {
		return err
	}
	_, err = loaded.Wait(context.Background())
	return err
}

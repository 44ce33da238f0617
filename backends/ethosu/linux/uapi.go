package linux

// The structs and requests of the kernel's interfaces. Fields stand at C's offsets; what C would pad is spelled out.

// Mainline: include/uapi/drm/ethosu_accel.h.
const (
	drmType = 'd'
	drmBase = 0x40

	devQueryInfo = 0
)

type devQuery struct {
	Type, Size uint32
	Pointer    uint64
}

type npuInfo struct{ ID, Config, SRAMBytes uint32 }

type boCreate struct {
	Bytes         uint64
	Flags, Handle uint32
}

type boWait struct {
	Handle, Pad uint32
	TimeoutNs   int64 // absolute, monotonic clock
}

type boMmapOffset struct {
	Handle, Pad uint32
	Offset      uint64
}

type streamCreate struct {
	Bytes, Flags uint32
	Data         uint64
	Handle, Pad  uint32
}

type drmJob struct {
	Stream, SRAMBytes uint32
	Regions           [8]uint32
}

type submit struct {
	Jobs     uint64
	Count    uint32
	Reserved uint32
}

type gemClose struct{ Handle, Pad uint32 } // include/uapi/drm/drm.h

// request makes an ioctl number; include/uapi/asm-generic/ioctl.h.
func request(direction, kind, number, bytes uint32) uint32 {
	return direction<<30 | bytes<<16 | kind<<8 | number
}

const (
	none  = 0
	write = 1 // user space writes
	read  = 2
)

var (
	drmGemClose     = request(write, drmType, 0x09, 8)
	drmDevQuery     = request(read|write, drmType, drmBase+0, 16)
	drmBOCreate     = request(read|write, drmType, drmBase+1, 16)
	drmBOWait       = request(read|write, drmType, drmBase+2, 16)
	drmBOMmapOffset = request(read|write, drmType, drmBase+3, 16)
	drmStreamCreate = request(read|write, drmType, drmBase+4, 24)
	drmSubmit       = request(read|write, drmType, drmBase+5, 16)
)

// Legacy: ethosu.h of Arm's ethos-u-linux-driver-stack 22.x and of NXP's linux-imx, drivers/firmware/ethosu.
const (
	legacyType = 0x01

	networkBuffer = 1 // the network is a buffer
	inferenceOp   = 1 // and holds a driver payload, not a model
	fdMax         = 16
	pmuMax        = 4
)

type legacyCapabilities struct {
	VersionStatus, VersionMinor, VersionMajor, ProductMajor, ArchPatch, ArchMinor, ArchMajor uint32
	MACs, StreamVersion, CustomDMA                                                           uint32 // MACs: log2
	DriverPatch, DriverMinor, DriverMajor                                                    uint32
}

type legacyBufferCreate struct{ Capacity uint32 }

type legacyBuffer struct{ Offset, Bytes uint32 }

type legacyNetworkCreate struct{ Type, FD uint32 }

type legacyPMU struct {
	Events     [pmuMax]uint32
	CycleCount uint32
}

type legacyInferenceCreate struct {
	InputCount  uint32
	Inputs      [fdMax]uint32
	OutputCount uint32
	Outputs     [fdMax]uint32
	Type        uint32
	PMU         legacyPMU
}

type legacyResult struct {
	Status     uint32
	PMU        legacyPMU
	Events     [pmuMax]uint32
	CycleCount uint64
}

type legacyCancel struct{ Status uint32 }

var (
	legacyPing            = request(none, legacyType, 0x00, 0)
	legacyGetCapabilities = request(read, legacyType, 0x02, 52)
	legacyCreateBuffer    = request(read, legacyType, 0x10, 4)
	legacySetBuffer       = request(read, legacyType, 0x11, 8)
	legacyCreateNetwork   = request(read, legacyType, 0x20, 8)
	legacyCreateInference = request(read, legacyType, 0x30, 160)
	legacyGetStatus       = request(read, legacyType, 0x31, 48)
	legacyCancelInference = request(read, legacyType, 0x32, 4)
)

// legacyStatus names the states of an inference.
func legacyStatus(s uint32) string {
	names := [...]string{"OK", "ERROR", "RUNNING", "REJECTED", "ABORTED", "ABORTING", "PENDING"}
	if int(s) < len(names) {
		return names[s]
	}
	return "unknown"
}

package nxp

import "fmt"

// Status is an error number of the Neutron driver: component, category and
// code packed into 32 bits; 0 is success.
//
// Source: NeutronErrors.h in pytorch/executorch backends/nxp/runtime (BSD-3-Clause).
type Status int32

// Components of a Status.
const (
	ComponentLibrary  = 1
	ComponentFirmware = 2
	ComponentDriver   = 3
)

// Categories of ComponentDriver.
const (
	DriverGeneric = iota
	DriverUnsupported
	DriverMicrocode
	DriverInvalidArgument
	DriverBadHandle
	DriverNoMemory
	DriverInternal
	DriverUnknownArchitecture
	DriverTraceNotRun
	DriverTimeout
)

// NewStatus packs a status.
func NewStatus(component, category, code int) Status {
	return Status(component&7 | category&31<<3 | code&0x7FFFFF<<8)
}

// Component is who reports: library, firmware or driver.
func (s Status) Component() int { return int(s) & 7 }

// Category is what kind of fault it is; the numbers depend on the component.
func (s Status) Category() int { return int(s) >> 3 & 31 }

// Code is the rest, often a line number of the vendor's source.
func (s Status) Code() int { return int(s) >> 8 & 0x7FFFFF }

// advice is the words for a category and what to do about it.
type advice struct{ words, next string }

var firmwareAdvice = []advice{
	{"generic fault", "check that microcode and firmware are of one release"},
	{"wrong microcode magic or version", "convert the model with the converter of the installed firmware's release"},
	{"buffer overflow", "check tensor and scratch sizes against the model"},
	{"null pointer", "check that every input, output and scratch buffer is set"},
	{"interrupt fault", "reset the NPU and check its clock and power domain"},
	{"wrong data mover parameter", "check that all buffers are aligned to 16 bytes and visible to the NPU"},
}

var driverAdvice = []advice{
	{"generic fault", "check that the device node exists and may be opened"},
	{"not supported", "this driver build lacks the call; Neutron-S has it under Linux"},
	{"wrong microcode magic or version", "convert the model with the converter of the installed driver's release"},
	{"invalid argument", "check pointers, sizes and alignment to 16 bytes"},
	{"bad model handle", "prepare the model again; it was released or never prepared"},
	{"out of memory", "enlarge the driver's memory pool (CMA) or run a smaller model"},
	{"internal fault", "reset the NPU; if it comes again, report it with the microcode revision"},
	{"unknown architecture", "convert the model for the NPU of this board"},
	{"trace was not run", "set a trace configuration before the run"},
	{"timeout", "raise the timeout, or reset the NPU if it hangs"},
}

// advice finds the words for a category and the next step.
func (s Status) advice() advice {
	list := firmwareAdvice
	switch s.Component() {
	case ComponentDriver:
		list = driverAdvice
	case ComponentFirmware:
	default:
		list = nil
	}
	if s.Category() < len(list) {
		return list[s.Category()]
	}
	return advice{"category not published", "reset the NPU and look the number up in the release notes of the eIQ Neutron SDK"}
}

// ComponentName is the component in words.
func (s Status) ComponentName() string {
	switch s.Component() {
	case ComponentLibrary:
		return "library"
	case ComponentFirmware:
		return "firmware"
	case ComponentDriver:
		return "driver"
	}
	return "unknown component"
}

// CategoryName is the category in words.
func (s Status) CategoryName() string { return s.advice().words }

// Error gives the three numbers, the words where they are published, and a next step.
func (s Status) Error() string {
	if s == 0 {
		return "Neutron: no error"
	}
	return fmt.Sprintf("Neutron error %d: %s, %s (component %d, category %d, code %d); %s",
		int32(s), s.ComponentName(), s.CategoryName(), s.Component(), s.Category(), s.Code(), s.advice().next)
}

// Is makes a driver's timeout match [ErrTimeout].
func (s Status) Is(target error) bool {
	return target == ErrTimeout && s.Component() == ComponentDriver && s.Category() == DriverTimeout
}

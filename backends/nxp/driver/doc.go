// Package driver runs Neutron models through NXP's NeutronDriver library.
//
//	nxp.NPU ◀── NPU ──▶ Library ──┬── Open     libNeutronDriver.so, opened at run time, no cgo
//	       timeouts, order,       └── Linked   linked into the program by cgo (build tag neutron_static)
//	       one buffer a job
//
// [Library] is the driver's C interface in Go words; both bindings satisfy it,
// and so can a test's. [NPU] adds what the C interface leaves to its callers:
// a run that never returns becomes an error in time, models are released before
// the driver is, and where the driver has memory of its own (Neutron-S under
// Linux) everything a job touches lies in one allocation, with the cache cleaned.
//
// A program runs on the device with
//
//	lib, err := driver.Open("") // libNeutronDriver.so
//	npu, err := driver.NewNPU(lib)
//	m, err := ptero.Open("model.pte", ptero.Backends(nxp.NewBackend(npu, 0)))
//
// and closes method, model and NPU in this order. [Probe] tells beforehand
// whether the kernel offers a device.
//
// The tag nodriver leaves [Open] out, for programs that must stay static.
package driver

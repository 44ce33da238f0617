// Package linux runs Ethos-U delegates through the two kernel drivers that Linux has had for the NPU.
//
//	ethosu.NPU ◀─┬─ Accel   /dev/accel/accelN   mainline's ethosu driver (U65, U85), command streams checked by the kernel
//	             └─ Legacy  /dev/ethosuN        Arm's and NXP's driver, jobs done by firmware on a Cortex-M
//
// Both have memory of their own, in buffers that the kernel allocates: a job's scratch is copied to its buffer before
// and back after, weights are copied once. Everything is plain ioctl and mmap through golang.org/x/sys; elsewhere than under
// Linux, opening a device is an error. [Probe] looks for devices.
package linux

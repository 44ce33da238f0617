// Package simc is the Neutron simulator behind the driver's C interface: the
// functions of include/NeutronDriver.h, exported to C.
//
// A program that imports it has the symbols of NXP's driver, so that the cgo
// binding in package driver runs against the simulator in one process.
// cmd/libneutron wraps it into a C library for programs that are not in Go.
package simc

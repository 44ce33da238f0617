// Package simc is the Ethos-U simulator behind the C interface of Arm's ethos-u-core-driver 1.0: the functions of
// include/ethosu_driver.h and include/pmu_ethosu.h, exported to C.
//
//	C program ──ethosu_invoke_v3──▶ exports.go ──▶ device.go ──ethosu.NPU──▶ package sim
//
// A program that imports it has the symbols of the core driver, so that the cgo binding in package core runs against the
// simulator in one process. cmd/libethosu wraps it into a C library for programs that are not in Go.
package simc

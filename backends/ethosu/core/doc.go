// Package core runs Ethos-U delegates through Arm's ethos-u-core-driver 1.0, linked into the program: what firmware-style
// hosts have.
//
//	ethosu.NPU ◀── NPU ──▶ ethosu_reserve_driver_ex, ethosu_invoke_async, ethosu_wait, ethosu_soft_reset
//	                       reserved for each job, polled, stopped when its time is up
//
// The binding is compiled with cgo and the build tag ethosu_core; whoever links the program brings the driver: the core
// driver built for the target, or package simc. Hooks for caches, semaphores, mutexes and address remapping are the
// driver's weak functions and stay with whoever brings it; caches are also maintained by the delegate on boards that say so.
// The driver's functions see CPU addresses.
package core

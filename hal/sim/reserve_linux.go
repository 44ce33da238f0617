package sim

import "golang.org/x/sys/unix"

// noReserve keeps large reservations out of the kernel's commit limit.
const noReserve = unix.MAP_NORESERVE

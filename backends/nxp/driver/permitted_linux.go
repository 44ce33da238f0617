package driver

import "golang.org/x/sys/unix"

// permitted asks without opening, which would make the kernel start the NPU.
func permitted(node string) error { return unix.Access(node, unix.R_OK|unix.W_OK) }

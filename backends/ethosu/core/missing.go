//go:build !(cgo && ethosu_core)

package core

import (
	"errors"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/internal/fault"
)

// ErrMissing marks a program without the core driver.
var ErrMissing = errors.New("the Ethos-U core driver is not part of this program")

// Open would give the core driver that is linked into this program; this build leaves it out.
func Open() (ethosu.NPU, error) {
	return nil, &fault.Error{Path: "ethos-u-core-driver", Want: "a build with cgo and the tag ethosu_core", Code: fault.NotSupported, Err: ErrMissing}
}

//go:build !(cgo && neutron_static)

package driver

import (
	"github.com/ptero-rt/ptero/internal/fault"
)

// Linked would be the driver linked into this program; this build leaves it out.
func Linked() (Library, error) {
	return nil, &fault.Error{Path: "NeutronDriver", Want: "a build with cgo and the tag neutron_static", Code: fault.NotSupported, Err: ErrMissing}
}

package driver

import (
	"errors"
	"time"

	"github.com/ptero-rt/ptero/backends/nxp"
)

// ErrMissing is a driver that is not on this machine or not in this build.
var ErrMissing = errors.New("no Neutron driver")

// timeoutSeconds is a model's timeout as the driver takes it: whole seconds, at least one.
func timeoutSeconds(m nxp.Model) uint32 {
	return uint32((m.Timeout + time.Second - 1) / time.Second)
}

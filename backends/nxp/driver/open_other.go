//go:build nodriver || !((linux || darwin) && (amd64 || arm64))

package driver

import (
	"runtime"

	"github.com/ptero-rt/ptero/internal/fault"
)

// Open would open the NeutronDriver shared library; this build leaves it out.
func Open(string) (Library, error) {
	return nil, &fault.Error{Path: "libNeutronDriver.so", Want: "a build for linux or darwin on amd64 or arm64 without the tag nodriver", Found: runtime.GOOS + "/" + runtime.GOARCH, Code: fault.NotSupported, Err: ErrMissing}
}

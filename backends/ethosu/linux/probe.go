package linux

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/internal/fault"
)

// Device is an Ethos-U that the kernel offers.
type Device struct {
	Node   string `json:"node"`   // device file
	Driver string `json:"driver"` // "ethosu" (mainline) or "legacy"
}

// ErrMissing marks a machine without a device.
var ErrMissing = errors.New("no Ethos-U device")

// Probe looks for devices below root, which is "/" but in tests: those of mainline's driver, by the name of the driver
// behind an accel device, then those of the older one. Nothing is opened. No device is an error that wraps ErrMissing.
func Probe(root string) ([]Device, error) {
	var list []Device
	links, err := filepath.Glob(filepath.Join(root, "sys", "class", "accel", "accel*", "device", "driver"))
	if err != nil {
		return nil, err
	}
	for _, link := range links {
		if to, err := os.Readlink(link); err == nil && strings.Contains(filepath.Base(to), "ethosu") {
			list = append(list, Device{filepath.Join(root, "dev", "accel", filepath.Base(filepath.Dir(filepath.Dir(link)))), "ethosu"})
		}
	}
	nodes, err := filepath.Glob(filepath.Join(root, "dev", "ethosu[0-9]*"))
	if err != nil {
		return nil, err
	}
	for _, node := range nodes {
		list = append(list, Device{node, "legacy"})
	}
	if len(list) == 0 {
		return nil, &fault.Error{Path: filepath.Join(root, "dev"), Want: "ethosu0 or an accel device of the driver ethosu; load the kernel module and check the device tree",
			Found: "neither", Code: fault.NotFound, Err: ErrMissing}
	}
	return list, nil
}

// Open opens a device that Probe found, or one by path: /dev/ethosuN with the older interface, others with mainline's.
func Open(d Device) (ethosu.NPU, error) {
	switch d.Driver {
	case "ethosu":
		return OpenAccel(d.Node)
	case "legacy":
		return OpenLegacy(d.Node)
	}
	return nil, fmt.Errorf("%s: want the driver ethosu or legacy, have %q", d.Node, d.Driver)
}

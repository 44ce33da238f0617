package driver

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/ptero-rt/ptero/internal/fault"
)

// Device is a Neutron that the kernel offers.
type Device struct {
	Node     string // device file
	Firmware string // path of the firmware that the kernel loads when the node is opened, or empty
	Err      error  // why the node cannot be opened for reading and writing, or nil
}

// firmwareFile is what NXP's kernel driver loads on the first open.
const firmwareFile = "lib/firmware/NeutronFirmware.elf"

// Probe looks for Neutron devices below root, which is "/" but in tests: the
// nodes of NXP's kernel driver (/dev/neutron0) and of a mainline accel driver.
// Nothing is loaded. No device is an error that wraps ErrMissing.
//
// Sources: NXP linux-imx drivers/staging/neutron; the Linux accel subsystem's
// naming (/dev/accel/accelN, /sys/class/accel).
func Probe(root string) ([]Device, error) {
	nodes, err := filepath.Glob(filepath.Join(root, "dev", "neutron[0-9]*"))
	if err != nil {
		return nil, err
	}
	links, err := filepath.Glob(filepath.Join(root, "sys", "class", "accel", "accel*", "device", "driver"))
	if err != nil {
		return nil, err
	}
	for _, link := range links {
		to, err := os.Readlink(link)
		if err == nil && strings.Contains(filepath.Base(to), "neutron") {
			nodes = append(nodes, filepath.Join(root, "dev", "accel", filepath.Base(filepath.Dir(filepath.Dir(link)))))
		}
	}
	if len(nodes) == 0 {
		return nil, &fault.Error{Path: filepath.Join(root, "dev"), Want: "neutron0 or an accel device of a neutron driver; load the kernel module and check the device tree", Found: "neither", Code: fault.NotFound, Err: ErrMissing}
	}
	devices := make([]Device, len(nodes))
	for i, node := range nodes {
		devices[i] = Device{Node: node, Err: permitted(node)}
		if firmware := filepath.Join(root, firmwareFile); exists(firmware) {
			devices[i].Firmware = firmware
		}
	}
	return devices, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

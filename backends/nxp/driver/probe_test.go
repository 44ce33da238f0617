package driver_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/nxp/driver"
)

func TestProbe(t *testing.T) {
	root := t.TempDir()
	_, err := driver.Probe(root)
	require.ErrorIs(t, err, driver.ErrMissing)

	touch := func(path string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, path)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(root, path), nil, 0o600))
	}
	link := func(path, to string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, path)), 0o777))
		require.NoError(t, os.Symlink(to, filepath.Join(root, path)))
	}
	link("sys/class/accel/accel0/device/driver", "../../bus/platform/drivers/ethosu")
	touch("dev/accel/accel0")
	_, err = driver.Probe(root)
	require.ErrorIs(t, err, driver.ErrMissing, "another vendor's accelerator")

	link("sys/class/accel/accel1/device/driver", "../../bus/platform/drivers/neutron")
	touch("dev/neutron0")
	touch("lib/firmware/NeutronFirmware.elf")
	devices, err := driver.Probe(root)
	require.NoError(t, err)
	require.Len(t, devices, 2)
	require.Equal(t, filepath.Join(root, "dev/neutron0"), devices[0].Node)
	require.NoError(t, devices[0].Err)
	require.NotEmpty(t, devices[0].Firmware)
	require.Equal(t, filepath.Join(root, "dev/accel/accel1"), devices[1].Node)
	require.ErrorIs(t, devices[1].Err, os.ErrNotExist, "the driver is there, its node is not")
}

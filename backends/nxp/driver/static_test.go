//go:build cgo && !neutron_static

package driver_test

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/nxp/driver"
)

// TestStaticBinding runs TestLinked in a build that has the binding.
func TestStaticBinding(t *testing.T) {
	_, err := driver.Linked()
	require.ErrorIs(t, err, driver.ErrMissing)
	for _, tool := range []string{"go", "cc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not on this machine", tool)
		}
	}
	if testing.Short() {
		t.Skip("builds a test with cgo")
	}
	out, err := exec.Command("go", "test", "-tags", "neutron_static", "-run", "Linked", ".").CombinedOutput()
	require.NoError(t, err, string(out))
}

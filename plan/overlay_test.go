package plan_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/memory/pack"
	"github.com/ptero-rt/ptero/plan"
	"github.com/ptero-rt/ptero/pte"
)

// linkAll links every method of a program.
func linkAll(t *testing.T, p *pte.Program) []*executor.Linked {
	m, err := ptero.New(p)
	require.NoError(t, err)
	t.Cleanup(func() { m.Close() })
	var list []*executor.Linked
	for _, name := range m.Methods() {
		l, err := m.Link(name)
		require.NoError(t, err)
		t.Cleanup(func() { l.Close() })
		list = append(list, l)
	}
	return list
}

func overlaid(t *testing.T) (file []byte, p *pte.Program, text []byte) {
	file = fixtures.Read(t, "ethosu", "ops", "two_delegates_skip.u55-32.ss.pte")
	p, err := pte.Parse(file)
	require.NoError(t, err)
	r := makePlan(t, p, "host", nil, plan.Options{Objective: pack.Height, AliasIO: true})
	text, err = json.Marshal(r.Overlay(file))
	require.NoError(t, err)
	return file, p, text
}

func TestOverlay(t *testing.T) {
	file, p, text := overlaid(t)
	o, err := plan.ParseOverlay(text)
	require.NoError(t, err)
	q, err := o.Apply(p, file, linkAll(t, p))
	require.NoError(t, err)
	want, _ := outputs(t, p, "forward", "host", nil)
	got, temp := outputs(t, again(t, q), "forward", "host", nil)
	require.Equal(t, want, got)
	require.Zero(t, temp)

	stale := append([]byte{}, file...)
	stale[len(stale)-1] ^= 1
	_, err = o.Apply(p, stale, linkAll(t, p))
	require.ErrorContains(t, err, "overlay_stale")
}

// A damaged overlay is refused, or is a plan that holds: the answers stay the same.
func TestDamagedOverlay(t *testing.T) {
	file, p, text := overlaid(t)
	linked := linkAll(t, p)
	want, _ := outputs(t, p, "forward", "host", nil)
	refused, sound := 0, 0
	for i := range text {
		for _, x := range []byte{0x01, 0x02, 0x04, 0x10} {
			b := append([]byte{}, text...)
			b[i] ^= x
			o, err := plan.ParseOverlay(b)
			if err == nil {
				var q *pte.Program
				if q, err = o.Apply(p, file, linked); err == nil {
					m, linkErr := ptero.New(q)
					require.NoError(t, linkErr)
					if l, linkErr := m.Link("forward"); linkErr == nil {
						require.NoError(t, l.Close())
						got, _ := outputs(t, q, "forward", "host", nil)
						require.Equal(t, want, got, "byte %d of the overlay: %s", i, b)
						sound++
					} else {
						refused++
					}
					require.NoError(t, m.Close())
				}
			}
			if err != nil {
				refused++
			}
		}
	}
	t.Logf("%d refused, %d sound", refused, sound)
	require.Greater(t, refused, sound)
}

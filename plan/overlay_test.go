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

// Each of these overlays is well formed and wrong.
func TestWrongOverlays(t *testing.T) {
	file, p, text := overlaid(t)
	linked := linkAll(t, p)
	scratch := func(o *plan.Overlay) *plan.OverlayPlace { // the first
		for i := range o.Methods[0].Places {
			if o.Methods[0].Places[i].Bytes > 0 {
				return &o.Methods[0].Places[i]
			}
		}
		panic("BUG: no scratch")
	}
	constant := -1
	for v := range p.Plans[0].Values {
		if x := p.Plans[0].Values[v].Tensor; x == nil || x.Alloc == nil {
			constant = v
		}
	}
	require.GreaterOrEqual(t, constant, 0)
	for name, wrong := range map[string]func(o *plan.Overlay, m *plan.OverlayMethod){
		"version":            func(o *plan.Overlay, _ *plan.OverlayMethod) { o.File = o.File[1:] + "0" },
		"no method":          func(o *plan.Overlay, _ *plan.OverlayMethod) { o.Methods = nil },
		"other method":       func(_ *plan.Overlay, m *plan.OverlayMethod) { m.Name = "backward" },
		"a place missing":    func(_ *plan.Overlay, m *plan.OverlayMethod) { m.Places = m.Places[1:] },
		"an unplanned value": func(_ *plan.Overlay, m *plan.OverlayMethod) { m.Places[0].Value = constant },
		"no such value":      func(_ *plan.Overlay, m *plan.OverlayMethod) { m.Places[0].Value = -1 },
		"far value":          func(_ *plan.Overlay, m *plan.OverlayMethod) { m.Places[0].Value = 1 << 30 },
		"size of a tensor":   func(_ *plan.Overlay, m *plan.OverlayMethod) { m.Places[0].Bytes = 16 },
		"off by one":         func(_ *plan.Overlay, m *plan.OverlayMethod) { m.Places[0].Offset++ },
		"out of the arena":   func(_ *plan.Overlay, m *plan.OverlayMethod) { m.Places[0].Offset = 1 << 40 },
		"offset overflows":   func(_ *plan.Overlay, m *plan.OverlayMethod) { m.Places[0].Offset = 1<<64 - 16 },
		"no such arena":      func(_ *plan.Overlay, m *plan.OverlayMethod) { m.Places[0].MemID = 9 },
		"constants' arena":   func(_ *plan.Overlay, m *plan.OverlayMethod) { m.Places[0].MemID = 0 },
		"short arena":        func(_ *plan.Overlay, m *plan.OverlayMethod) { m.BufferBytes[1] -= 16 },
		"no arenas":          func(_ *plan.Overlay, m *plan.OverlayMethod) { m.BufferBytes = nil },
		"where state is": func(_ *plan.Overlay, m *plan.OverlayMethod) {
			m.BufferBytes = append(m.BufferBytes, 1<<20)
			m.Places[0].MemID = 2
		},
		"scratch too small":   func(o *plan.Overlay, _ *plan.OverlayMethod) { scratch(o).Bytes-- },
		"scratch on itself":   func(o *plan.Overlay, m *plan.OverlayMethod) { scratch(o).Offset += 16 },
		"scratch of a tensor": func(_ *plan.Overlay, m *plan.OverlayMethod) { m.Calls[0].Scratch[0] = int32(m.Places[0].Value) },
		"no such scratch":     func(_ *plan.Overlay, m *plan.OverlayMethod) { m.Calls[0].Scratch[0] = 1 << 30 },
		"too much scratch": func(_ *plan.Overlay, m *plan.OverlayMethod) {
			m.Calls[0].Scratch = append(m.Calls[0].Scratch, m.Calls[0].Scratch[0], m.Calls[0].Scratch[0])
		},
		"a call missing":      func(_ *plan.Overlay, m *plan.OverlayMethod) { m.Calls = m.Calls[1:] },
		"another instruction": func(_ *plan.Overlay, m *plan.OverlayMethod) { m.Calls[0].Instruction++ },
		"label of other": func(_ *plan.Overlay, m *plan.OverlayMethod) {
			m.Label = json.RawMessage(`{"hash":"00","scratch":[],"aliases":[]}`)
		},
		"no label": func(_ *plan.Overlay, m *plan.OverlayMethod) { m.Label = nil },
	} {
		t.Run(name, func(t *testing.T) {
			o, err := plan.ParseOverlay(text)
			require.NoError(t, err)
			wrong(o, &o.Methods[0:1:1][0])
			q, err := o.Apply(p, file, linked)
			if err == nil { // what the file itself can say is said when it is linked
				var m *ptero.Model
				m, err = ptero.New(q)
				require.NoError(t, err)
				_, err = m.Link("")
				require.NoError(t, m.Close())
			}
			require.Error(t, err)
		})
	}
}

// State that methods share by name stays where it is, whatever an overlay says.
func TestOverlayOfSharedState(t *testing.T) {
	f, err := pte.Open(fixtures.Path("cpu", "models", "multi_method", "shared_mutable_buffer.bpte"))
	require.NoError(t, err)
	defer f.Close()
	p, err := f.Program()
	require.NoError(t, err)
	o := makePlan(t, p, "host", nil, plan.Options{}).Overlay(f.Bytes)
	_, err = o.Apply(p, f.Bytes, linkAll(t, p))
	require.NoError(t, err)
	moved := 0
	for m := range o.Methods {
		for i := range o.Methods[m].Places {
			at := &o.Methods[m].Places[i]
			if at.MemID != 2 {
				continue
			}
			o.Methods[m].BufferBytes[2] += 64
			at.Offset += 64
			_, err = o.Apply(p, f.Bytes, linkAll(t, p))
			require.ErrorContains(t, err, "where state is that methods may share")
			at.Offset -= 64
			moved++
		}
	}
	require.NotZero(t, moved)
}

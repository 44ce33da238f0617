package pte_test

import (
	"testing"

	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/pte"
	"github.com/stretchr/testify/require"
)

func TestRewriteCorpus(t *testing.T) {
	n := 0
	for _, path := range files(t, fixtures.Shared(t, "fixtures"), fixtures.Shared(t, "models")) {
		f, err := pte.Open(path)
		require.NoError(t, err)
		if f.Kind == pte.TensorDataFile || ruleOf(path) != "" {
			require.NoError(t, f.Close())
			continue
		}
		p, err := f.Program()
		require.NoError(t, err, path)
		out, err := pte.Rewrite(p.Clone())
		require.NoError(t, err, path)
		again, err := pte.Parse(out)
		require.NoError(t, err, path)
		require.GreaterOrEqual(t, again.SegmentAlign, p.SegmentAlign, path)
		require.GreaterOrEqual(t, again.ConstantAlign, p.ConstantAlign, path)
		require.GreaterOrEqual(t, again.InlineAlign, p.InlineAlign, path)
		if len(p.Segments) == 0 {
			again.Segments = p.Segments // constants were in the flatbuffer
		}
		require.Equal(t, content(p), content(again), path)
		require.NoError(t, f.Close())
		n++
	}
	t.Log(n)
}

// content leaves out of a program what a rewrite may choose anew: where segments lie.
func content(p *pte.Program) *pte.Program {
	p = p.Clone()
	p.SegmentAlign, p.ConstantAlign, p.InlineAlign = 0, 0, 0
	for i := range p.Segments {
		p.Segments[i].Offset = 0
	}
	for i := range p.NamedData {
		p.NamedData[i].Align = 0
	}
	return p
}

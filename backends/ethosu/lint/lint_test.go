package lint_test

import (
	"archive/zip"
	"io"
	"strings"
	"testing"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/lint"
	"github.com/ptero-rt/ptero/backends/ethosu/stream"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/fixtures/ethosu/corpus"
	"github.com/stretchr/testify/require"
)

var (
	u55 = stream.Accelerator{Product: stream.U55, MACs: 128}
	u65 = stream.Accelerator{Product: stream.U65, MACs: 256}
	u85 = stream.Accelerator{Product: stream.U85, MACs: 256}
)

// mainline says what the kernel driver refuses by kind: operations, and fields that no stream it takes has set.
func mainline(t *testing.T, a stream.Accelerator, b []byte) bool {
	s, err := stream.Decode(a, b)
	require.NoError(t, err)
	for _, op := range s.Ops {
		switch {
		case op.Kind == stream.Branch, op.Kind == stream.IRQ, op.Kind == stream.Resize:
			return false
		case op.Transfer != nil && (op.Transfer.Gather || op.Transfer.Scatter):
			return false
		case op.Kernel != nil && op.Kernel.OFM.Storage == stream.NoStorage: // accumulators that stay
			return false
		}
	}
	for _, c := range s.Commands {
		if c.Code == stream.SetOFMPrecision && a.Product == stream.U85 && c.Param>>11&7 != 0 {
			return false
		}
	}
	return a.Product != stream.U55
}

// Every stream of the corpus is accepted where mainline's driver takes its kind of operations, known defects aside; those
// are refused by name, and nothing else is wrong with any stream.
func TestCorpus(t *testing.T) { checkCorpus(t, corpus.Shared(t)) }

func TestCommitted(t *testing.T) { checkCorpus(t, corpus.Committed(t)) }

func checkCorpus(t *testing.T, c *corpus.Corpus) {
	taken := 0
	for _, p := range c.Programs {
		defect := false
		for _, b := range c.Blobs(t, p) {
			blob, err := ethosu.Parse(b, c.Named(t, p))
			require.NoError(t, err)
			r := lint.Check(blob.Commands.Accelerator, blob.Commands.Stream, lint.MemoryOf(blob))
			for _, f := range r.Findings {
				defect = defect || f.Rule == lint.RuleTableAddress
				if len(p.KnownDefect) == 0 {
					require.Equal(t, lint.RuleCores, f.Rule, "%s: %s", p.Name, f)
				}
			}
			if !r.Verdict.Supported {
				continue
			}
			require.Equal(t, mainline(t, blob.Commands.Accelerator, blob.Commands.Stream), r.Verdict.Accepted, "%s: %s", p.Name, r.Verdict.Reason)
			need := streamBytes(t, blob)
			for region, n := range r.Verdict.RegionBytes {
				if r.Verdict.Accepted {
					require.GreaterOrEqual(t, n, need[region], "%s: the driver bounds what is touched", p.Name)
					taken++
				}
			}
		}
		require.Equal(t, len(p.KnownDefect) > 0, defect, p.Name)
	}
	require.NotZero(t, taken)
}

func streamBytes(t *testing.T, b *ethosu.Blob) [8]uint64 {
	s, err := stream.Decode(b.Commands.Accelerator, b.Commands.Stream)
	require.NoError(t, err)
	return s.RegionBytes()
}

// micro builds a command stream.
type micro struct{ b []byte }

func (m *micro) put(c stream.Code, value uint64) *micro {
	command := stream.Command{Code: c, Param: uint16(value)}
	if c.Wide() {
		command.Param, command.Payload = uint16(value>>32), uint32(value)
	}
	m.b = command.Append(m.b)
	return m
}

func (m *micro) end() []byte { return m.put(stream.OpStop, 0xffff).b }

// pool is a 1x1 pooling of an 8x8x16 feature map from region 1 byte 0 to byte 1024, with every register that it reads.
func pool() *micro {
	m := &micro{}
	for _, base := range []stream.Code{stream.SetIFMBase0, stream.SetOFMBase0} {
		for i := range stream.Code(4) {
			m.put(base+i, 0)
		}
		m.put(base+4, 16).put(base+5, 128).put(base+6, 16)
	}
	m.put(stream.SetOFMBase0, 1024)
	for _, c := range []stream.Code{stream.SetIFMPadTop, stream.SetIFMPadLeft, stream.SetIFMPadRight, stream.SetIFMPadBottom, stream.SetKernelWidthM1, stream.SetKernelHeightM1,
		stream.SetKernelStride, stream.SetIFMUpscale, stream.SetIFMZeroPoint, stream.SetOFMZeroPoint, stream.SetActivation, stream.SetActivationMin, stream.SetBlockDep, stream.SetAccFormat} {
		m.put(c, 0)
	}
	m.put(stream.SetActivationMax, 255).put(stream.SetIFMRegion, 1).put(stream.SetOFMRegion, 1)
	for _, c := range []stream.Code{stream.SetIFMWidth0M1, stream.SetIFMHeight0M1, stream.SetIFMHeight1M1, stream.SetOFMWidth0M1, stream.SetOFMHeight0M1, stream.SetOFMHeight1M1,
		stream.SetOFMWidthM1, stream.SetOFMHeightM1, stream.SetOFMBlkHeightM1, stream.SetOFMBlkWidthM1} {
		m.put(c, 7)
	}
	m.put(stream.SetIFMDepthM1, 15).put(stream.SetOFMDepthM1, 15).put(stream.SetOFMBlkDepthM1, 15).put(stream.SetOFMScale, 1)
	return m.put(stream.SetIFMPrecision, 0).put(stream.SetOFMPrecision, 0x100)
}

func rules(r *lint.Report) string {
	var list []string
	for _, f := range r.Findings {
		list = append(list, f.Rule)
	}
	return strings.Join(list, " ")
}

// job is the memory of the micro streams.
func job() lint.Memory {
	return lint.Memory{ethosu.RegionWeights: 4096, ethosu.RegionScratch: 4096, ethosu.RegionFastScratch: lint.Unknown}
}

func TestSound(t *testing.T) {
	for _, a := range []stream.Accelerator{u55, u65, u85} {
		r := lint.Check(a, pool().put(stream.OpPool, 0).end(), job())
		require.Empty(t, r.Findings, a)
		require.True(t, r.Accepted(), r.Verdict.Reason)
		require.Equal(t, a.Product != stream.U55, r.Verdict.Supported)
		if r.Verdict.Supported {
			require.Equal(t, [8]uint64{1: 2048}, r.Verdict.RegionBytes)
			require.Equal(t, [8]bool{1: true}, r.Verdict.Written)
		}
	}
}

// A region that the stream touches must be part of the job: nobody may run on the base of the job before.
func TestS08RegionOfJob(t *testing.T) {
	b := pool().put(stream.SetOFMRegion, 2).put(stream.OpPool, 0).end()
	m := job()
	require.True(t, lint.Check(u65, b, m).Accepted())
	m[ethosu.RegionFastScratch] = 0
	r := lint.Check(u65, b, m)
	require.False(t, r.Accepted())
	require.Equal(t, lint.RuleMissing, r.Findings[0].Rule)
	m[ethosu.RegionFastScratch] = 2047
	r = lint.Check(u65, b, m)
	require.False(t, r.Accepted())
	require.Equal(t, lint.RuleBounds, r.Findings[0].Rule)
}

// Bits 15 and 14 of a precision register are a rounding mode on U55 and U65 and a storage on U85.
func TestS09FieldsByProduct(t *testing.T) {
	for _, bits := range []uint64{1, 2} {
		b := pool().put(stream.SetIFMPrecision, bits<<14).put(stream.SetOFMPrecision, 0x100|bits<<14).put(stream.OpPool, 0).end()
		for _, a := range []stream.Accelerator{u55, u65} {
			r := lint.Check(a, b, job())
			require.True(t, r.Accepted(), r.Findings)
			if r.Verdict.Supported {
				require.Equal(t, uint64(2048), r.Verdict.RegionBytes[1])
			}
		}
		s, err := stream.Decode(u85, b)
		require.NoError(t, err)
		require.Equal(t, stream.Storage(bits), s.Ops[0].Kernel.OFM.Storage)
	}
	r := lint.Check(u85, pool().put(stream.SetOFMPrecision, 0x100|3<<14).put(stream.OpPool, 0).end(), job())
	require.Equal(t, "a feature map without storage", r.Verdict.Reason)
}

func transfer() *micro {
	return (&micro{}).put(stream.SetDMA0SrcRegion, 0).put(stream.SetDMA0DstRegion, 1).put(stream.SetDMA0Src, 0).put(stream.SetDMA0Dst, 512)
}

func TestS49TransferWithoutLength(t *testing.T) {
	for _, a := range []stream.Accelerator{u55, u65, u85} {
		require.Empty(t, lint.Check(a, transfer().put(stream.SetDMA0Len, 64).put(stream.OpDMAStart, 0).end(), job()).Findings)
		r := lint.Check(a, transfer().put(stream.OpDMAStart, 0).end(), job())
		require.False(t, r.Accepted())
		require.Contains(t, rules(r), lint.RuleUnset)
		if r.Verdict.Supported {
			require.Equal(t, "NPU_SET_DMA0_LEN was never set", r.Verdict.Reason)
		}
	}
}

func TestS50WhatTheDriverRefuses(t *testing.T) {
	dma := func() *micro { return transfer().put(stream.SetDMA0Len, 64) }
	for _, c := range []struct {
		reason string
		b      []byte
	}{
		{"a branch", pool().put(stream.OpPool, 0).put(stream.OpBranch, 0).end()},
		{"an indexed transfer", dma().put(stream.SetDMA0SrcRegion, 0x800).put(stream.SetDMA0IdxRegion, 1).put(stream.SetDMA0Idx, 0).put(stream.SetDMA0IdxMax, 1).
			put(stream.SetDMA0IdxSkip1, 0).put(stream.OpDMAStart, 0).end()},
		{"NPU_OP_IRQ", pool().put(stream.OpPool, 0).put(stream.OpIRQ, 1).end()},
		{"a transposed output", pool().put(stream.SetOFMPrecision, 0x100|1<<11).put(stream.OpPool, 0).end()},
	} {
		r := lint.Check(u85, c.b, job())
		require.True(t, r.Verdict.Supported)
		require.False(t, r.Accepted(), c.reason)
		require.Equal(t, c.reason, r.Verdict.Reason)
	}
	chained := pool().put(stream.SetOFMPrecision, 0x100|2<<14).put(stream.SetOFMRegion, 7).put(stream.OpPool, 0).
		put(stream.SetIFMPrecision, 2<<14).put(stream.SetIFMRegion, 7).put(stream.SetOFMPrecision, 0x100).put(stream.SetOFMRegion, 1).put(stream.OpPool, 0).end()
	r := lint.Check(u85, chained, job())
	require.True(t, r.Accepted(), "%s %v", r.Verdict.Reason, r.Findings)
	require.Equal(t, [8]uint64{1: 2048}, r.Verdict.RegionBytes)
}

func TestFindings(t *testing.T) {
	load := func(to uint64) *micro {
		return (&micro{}).put(stream.SetDMA0SrcRegion, 0).put(stream.SetDMA0DstRegion, 0x100).put(stream.SetDMA0Src, 0).put(stream.SetDMA0Dst, to).
			put(stream.SetDMA0Len, 256).put(stream.OpDMAStart, 0).put(stream.OpDMAWait, 0)
	}
	table := func(loads *micro) []byte {
		return append(loads.b, pool().put(stream.SetActivation, 16).put(stream.OpPool, 0).end()...)
	}
	base := uint64(u55.TableBase())
	for _, c := range []struct {
		name, rules string
		accepted    bool
		b           []byte
	}{
		{"beyond the scratch", lint.RuleBounds, false, pool().put(stream.SetOFMBase0, 4000).put(stream.OpPool, 0).end()},
		{"before the scratch", lint.RuleBounds, false, pool().put(stream.SetOFMStrideY, 1<<40-4096).put(stream.OpPool, 0).end()},
		{"writes weights", lint.RuleReadOnly, false, pool().put(stream.SetOFMRegion, 0).put(stream.OpPool, 0).end()},
		{"no region 3", lint.RuleMissing, false, pool().put(stream.SetIFMRegion, 3).put(stream.OpPool, 0).end()},
		{"not a command", lint.RuleStream, false, []byte{0xff, 1, 0, 0}},
		{"no end", lint.RuleStream, false, pool().put(stream.OpPool, 0).b},
		{"scales set, one used", lint.RuleGlobalScale, true, pool().put(stream.OpPool, 0).put(stream.SetScaleBase, 16).put(stream.OpPool, 0).end()},
		{"odd bricks", lint.RuleAlignment, true, pool().put(stream.SetIFMPrecision, 0x40).put(stream.SetIFMBase0, 8).put(stream.OpPool, 0).end()},
		{"reserved bits", lint.RuleReserved, true, pool().put(stream.SetIFMUpscale, 0x100).put(stream.OpPool, 0).end()},
		{"table", "", true, table(load(base))},
		{"table beyond", lint.RuleTableAddress + " " + lint.RuleTableUnloaded, false, table(load(base + 2048))},
		{"table not loaded", lint.RuleTableUnloaded, false, table(&micro{})},
		{"no wait", lint.RuleHazard, false, append(transfer().put(stream.SetDMA0Len, 64).put(stream.SetDMA0Dst, 0).put(stream.OpDMAStart, 0).b, pool().put(stream.OpPool, 0).end()...)},
		{"waited", "", true, append(transfer().put(stream.SetDMA0Len, 64).put(stream.SetDMA0Dst, 0).put(stream.OpDMAStart, 0).put(stream.OpDMAWait, 0).b, pool().put(stream.OpPool, 0).end()...)},
	} {
		r := lint.Check(u55, c.b, job())
		require.Equal(t, c.rules, rules(r), "%s: %v", c.name, r.Findings)
		require.Equal(t, c.accepted, r.Accepted(), c.name)
	}
}

// An unset register refuses a stream where it decides which memory is touched.
func TestUnsetRegisters(t *testing.T) {
	without := func(code stream.Code) []byte {
		s, err := stream.Decode(u55, pool().put(stream.OpPool, 0).end())
		require.NoError(t, err)
		m := &micro{}
		for _, c := range s.Commands {
			if c.Code != code {
				m.b = c.Append(m.b)
			}
		}
		return m.b
	}
	for code, refused := range map[stream.Code]bool{
		stream.SetIFMBase0: true, stream.SetOFMStrideY: true, stream.SetOFMWidth0M1: true, stream.SetOFMDepthM1: true, stream.SetKernelStride: true,
		stream.SetIFMBase3: false, stream.SetIFMStrideC: false, stream.SetOFMZeroPoint: false, stream.SetActivationMax: false, stream.SetBlockDep: false,
	} {
		r := lint.Check(u55, without(code), job())
		require.Contains(t, rules(r), lint.RuleUnset, "%#x", uint16(code))
		require.Equal(t, !refused, r.Accepted(), "%#x: %v", uint16(code), r.Findings)
	}
}

// FuzzCheck gives the lint any bytes: it answers, and what it accepts decodes.
func FuzzCheck(f *testing.F) {
	f.Add(uint8(0), pool().put(stream.OpPool, 0).end())
	f.Add(uint8(1), transfer().put(stream.OpDMAStart, 0).end())
	f.Fuzz(func(t *testing.T, which uint8, b []byte) {
		a := []stream.Accelerator{u55, u65, u85}[which%3]
		if lint.Check(a, b, job()).Accepted() {
			_, err := stream.Decode(a, b)
			require.NoError(t, err)
		}
	})
}

// Single operators with random shapes, which the corpus does not have: nothing is wrong with any.
func TestOperators(t *testing.T) {
	archive, err := zip.OpenReader(fixtures.Path("ethosu", "tosa.zip"))
	require.NoError(t, err)
	defer archive.Close()
	count := 0
	for _, f := range archive.File {
		if !strings.HasSuffix(f.Name, ".blob") {
			continue
		}
		r, err := f.Open()
		require.NoError(t, err)
		b, err := io.ReadAll(r)
		require.NoError(t, err)
		blob, err := ethosu.Parse(b, nil)
		require.NoError(t, err)
		report := lint.Check(blob.Commands.Accelerator, blob.Commands.Stream, lint.MemoryOf(blob))
		for _, found := range report.Findings {
			// The driver counts the kernel of a dilated convolution twice over.
			require.Contains(t, []string{lint.RuleCores, lint.RuleBuffer}, found.Rule, "%s: %s", f.Name, found)
		}
		if report.Verdict.Supported {
			require.Equal(t, mainline(t, blob.Commands.Accelerator, blob.Commands.Stream), report.Verdict.Accepted, "%s: %s", f.Name, report.Verdict.Reason)
		}
		count++
	}
	require.Greater(t, count, 200)
}

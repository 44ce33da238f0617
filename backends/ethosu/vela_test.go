package ethosu_test

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/stream"
	"github.com/ptero-rt/ptero/fixtures/ethosu/corpus"
	"github.com/stretchr/testify/require"
)

func TestParsePrograms(t *testing.T) {
	versions := map[int]int{}
	c := corpus.Committed(t)
	for _, p := range c.Programs {
		for i, payload := range c.Blobs(t, p) {
			if len(p.External) > 0 {
				_, err := ethosu.Parse(payload, nil)
				require.ErrorContains(t, err, "have no data file", p.Name)
			}
			b, err := ethosu.Parse(payload, c.Named(t, p))
			require.NoError(t, err, p.Name)
			require.Equal(t, p.Accelerator, b.Commands.Accelerator.String(), p.Name)
			require.Equal(t, b.Commands.Accelerator.ConfigWord(), b.Commands.ConfigWord, p.Name)
			versions[b.Commands.Version]++
			s, err := stream.Decode(b.Commands.Accelerator, b.Commands.Stream)
			require.NoError(t, err, p.Name)
			need := s.RegionBytes()
			require.LessOrEqual(t, need[ethosu.RegionScratch], b.ScratchBytes, p.Name)
			if !strings.HasPrefix(p.Name, "cond_") && !strings.HasPrefix(p.Name, "while_") { // Vela's figure leaves out subgraphs
				require.LessOrEqual(t, need[ethosu.RegionFastScratch], p.Delegates[i].FastScratch, p.Name)
			}
		}
	}
	require.NotZero(t, versions[1])
	require.NotZero(t, versions[2])
}

// A payload cut short anywhere is an error with an offset, never a panic and never accepted with a block missing.
func TestParseCut(t *testing.T) {
	payload := corpus.Committed(t).Blobs(t, corpus.Committed(t).Programs[0])[0]
	blob, err := ethosu.Parse(payload, nil)
	require.NoError(t, err)
	last := blob.Blocks[len(blob.Blocks)-2]
	for n := range last.Offset + last.Bytes {
		_, err := ethosu.Parse(payload[:n], nil)
		require.Error(t, err, n)
		var fault *ethosu.BlobError
		require.True(t, errors.As(err, &fault), n)
	}
}

func TestParseFaults(t *testing.T) {
	c := corpus.Committed(t)
	original := c.Blobs(t, c.Programs[0])[0]
	block := func(b []byte, name string) int { return strings.Index(string(b), name) + 32 }
	put := func(b []byte, at int, v int32) { binary.LittleEndian.PutUint32(b[at:], uint32(v)) }
	for _, test := range []struct {
		want   string
		change func(b []byte)
	}{
		{"block inputs: byte", func(b []byte) { put(b, block(b, "inputs"), -1) }},
		{"want 1000 records", func(b []byte) { put(b, block(b, "inputs"), 1000) }},
		{"positive axes", func(b []byte) { put(b, block(b, "outputs")+4+12, 0) }},
		{"element of 1, 2, 4 or 8 bytes", func(b []byte) { put(b, block(b, "outputs")+4+24, 3) }},
		{"within the scratch", func(b []byte) { put(b, block(b, "outputs")+4+28, 1<<30) }},
		{"want a region", func(b []byte) { put(b, block(b, "outputs")+4+32, 9) }},
		{"magic COP1 or COP2", func(b []byte) { b[block(b, "cmd_data")] = 'X' }},
		{"Ethos-U55, U65 or U85", func(b []byte) { put(b, block(b, "cmd_data")+8, 0x7000100f) }},
		{"architecture 1.x", func(b []byte) { put(b, block(b, "cmd_data")+12, 0x30000000) }},
		{"driver action", func(b []byte) { put(b, block(b, "cmd_data")+16, 99) }},
		{"command stream of", func(b []byte) { put(b, block(b, "cmd_data")+28, -0xfffe) }},
		{"named data", func(b []byte) { b[block(b, "weight_data")-12] = 1; put(b, block(b, "weight_data")-16, 64) }},
		{"external flag", func(b []byte) { b[block(b, "weight_data")-12] = 7 }},
		{"content, have", func(b []byte) { put(b, block(b, "cmd_data")-16, 1<<29) }},
	} {
		b := append([]byte{}, original...)
		test.change(b)
		_, err := ethosu.Parse(b, nil)
		require.ErrorContains(t, err, test.want)
	}
}

func FuzzParse(f *testing.F) {
	c := corpus.Committed(f)
	for _, p := range c.Programs {
		switch p.Name {
		case "abs.u65-256.ds384", "conv2d_1x1.u55-128.ss", "cop2_conv8.u85-512.so", "external_both.u55-256.ss":
			f.Add(c.Blobs(f, p)[0])
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		blob, err := ethosu.Parse(b, func(string) ([]byte, error) { return b[:len(b)/2], nil })
		if err != nil {
			return
		}
		if s, err := stream.Decode(blob.Commands.Accelerator, blob.Commands.Stream); err == nil {
			s.RegionBytes()
		}
	})
}

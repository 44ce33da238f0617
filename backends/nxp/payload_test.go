package nxp_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/nxp"
	"github.com/ptero-rt/ptero/fixtures"
)

func TestPayloadHeader(t *testing.T) {
	p, err := nxp.ParsePayload(blank{version: 1, in: []uint32{4, 5, 6}, out: []uint32{7, 8}, args: 4, formats: []byte{1, 0, 1, 0, 1}, maps: []byte{3, 0, 3, 1, 0},
		scratch: 100, profile: 1<<31 | 48, debug: 7, sram: 9, weights: []byte{1, 2, 3}, kernel: []byte{4, 5}}.encode())
	require.NoError(t, err)
	require.Equal(t, 4, p.Args)
	require.Equal(t, []nxp.Port{{ChannelsLast: true, Arg: 3}, {Arg: 0}, {ChannelsLast: true, Arg: 3}}, p.Inputs)
	require.Equal(t, []nxp.Port{{Arg: 1}, {ChannelsLast: true, Arg: 0}}, p.Outputs)
	require.Equal(t, []byte{1, 2, 3}, p.Weights)
	require.Equal(t, []byte{4, 5}, p.Kernels)
	m := p.Microcode
	require.EqualValues(t, []uint32{100, 48, 7, 9}, []uint32{m.ScratchBytes, m.ProfileBytes, m.DebugBytes, m.SRAMScratchBytes}, "bit 31 of the profile word is a flag")
	in, out, err := m.IOBytes()
	require.NoError(t, err)
	require.Equal(t, []uint32{4, 5, 6}, in)
	require.Equal(t, []uint32{7, 8}, out)
}

func TestDamagedPayload(t *testing.T) {
	good := func() []byte {
		return blank{in: []uint32{4, 5}, out: []uint32{7}, scratch: 100, weights: make([]byte, 40), kernel: make([]byte, 20)}.encode()
	}
	const microcode = 16
	word := func(b []byte, i int, v uint32) { binary.LittleEndian.PutUint32(b[microcode+4*i:], v) }
	for _, c := range []struct {
		name   string
		damage func(b []byte) []byte
		err    string
		kind   error
	}{
		{"empty", func(b []byte) []byte { return nil }, "at least 4 bytes", nxp.ErrFormat},
		{"two bytes", func(b []byte) []byte { return b[:2] }, "at least 4 bytes", nxp.ErrFormat},
		{"no inputs", func(b []byte) []byte { b[0] = 0; return b }, "one input", nxp.ErrFormat},
		{"255 inputs", func(b []byte) []byte { b[0] = 255; return b }, "bytes for 255 inputs", nxp.ErrFormat},
		{"format 2", func(b []byte) []byte { b[4] = 2; return b }, "format of input 1", nxp.ErrUnsupported},
		{"input map entry 200", func(b []byte) []byte { b[6] = 200; return b }, "input map entry 0 below 2, found 200", nxp.ErrFormat},
		{"output map entry 1", func(b []byte) []byte { b[8] = 1; return b }, "output map entry 0 below 1", nxp.ErrFormat},
		{"payload version 2", func(b []byte) []byte { b[9] = 2; return b }, "version 0 or 1, found 2", nxp.ErrUnsupported},
		{"wrong magic", func(b []byte) []byte { word(b, 0, 1); return b }, "magic 0x64434d6e", nxp.ErrFormat},
		{"microcode of 4 GiB", func(b []byte) []byte { word(b, 6, 0xFFFFFFF0); return b }, "4294967280 bytes", nxp.ErrFormat},
		{"microcode of 4 bytes", func(b []byte) []byte { word(b, 6, 4); return b }, "microcode size of at least", nxp.ErrFormat},
		{"weights of 4 GiB", func(b []byte) []byte { word(b, 7, 0xFFFFFFFF); return b }, "weights", nxp.ErrFormat},
		{"kernels of 4 GiB", func(b []byte) []byte { word(b, 8, 0xFFFFFFFF); return b }, "kernels", nxp.ErrFormat},
		{"three inputs in the microcode", func(b []byte) []byte { word(b, 11, 3); return b }, "2 inputs and 1 outputs", nxp.ErrFormat},
		{"cut in the microcode", func(b []byte) []byte { return b[:microcode+30] }, "microcode header", nxp.ErrFormat},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := nxp.ParsePayload(c.damage(good()))
			require.ErrorContains(t, err, c.err)
			require.ErrorIs(t, err, c.kind)
		})
	}
	_, err := nxp.ParsePayload(good())
	require.NoError(t, err)
}

// TestOutputMapNamesEachOutputOnce: two outputs of the NPU in one tensor would overwrite each other.
func TestOutputMapNamesEachOutputOnce(t *testing.T) {
	_, err := nxp.ParsePayload(blank{in: []uint32{4}, out: []uint32{4, 4}, maps: []byte{0, 1, 1}}.encode())
	require.ErrorContains(t, err, "output 1 again")
}

// TestDecodeNamesKinds compares the kinds found by structure with those in the manifest.
func TestDecodeNamesKinds(t *testing.T) {
	names := map[nxp.Kind]string{nxp.Conv: "conv", nxp.ConvTransposed: "convT", nxp.ConvRow: "row", nxp.Pointwise: "pw", nxp.Depthwise: "dw", nxp.DepthwiseRow: "dw1",
		nxp.GlobalAverage: "gap", nxp.MaxPool: "maxpool", nxp.FullyConnected: "fc", nxp.Pad: "pad", nxp.Slice: "slice", nxp.Softmax: "softmax"}
	for _, e := range manifest(t) {
		p, err := nxp.ParsePayload(blob(t, e.Pte[0].File))
		require.NoError(t, err)
		kernels, err := p.Microcode.Decode(p.Weights)
		require.NoError(t, err, e.Name)
		var kinds []string
		for i := range kernels {
			kinds = append(kinds, names[kernels[i].Kind])
		}
		require.Equal(t, e.Operations, kinds, e.Name)
		target := nxp.GuessTarget(kernels)
		require.Equal(t, strings.Contains(e.Name, "_n1"), target.Name == "neutron-n1", "%s: %v", e.Name, target)
	}
}

// TestPublishedModels decodes every microcode of the larger corpus, as it stands in files that others made.
func TestPublishedModels(t *testing.T) {
	root := fixtures.Shared(t, "models", "neutron")
	files, err := filepath.Glob(filepath.Join(root, "*npu*.tflite"))
	require.NoError(t, err)
	rebuilt, err := filepath.Glob(filepath.Join(root, "rebuilt", "*.bin"))
	require.NoError(t, err)
	files = append(files, rebuilt...)
	require.GreaterOrEqual(t, len(files), 11)
	for _, file := range files {
		b, err := os.ReadFile(file)
		require.NoError(t, err)
		at := strings.Index(string(b), "nMCd")
		require.GreaterOrEqual(t, at, 0)
		d, err := nxp.Describe(b[at:])
		require.NoError(t, err, file)
		require.NoError(t, d.Problem, file)
		require.Len(t, d.Kernels, int(d.Microcode.Calls), file)
	}
}

// TestUnknownRecordsAreRefusedByName: what nobody has decoded must not run as something else.
func TestUnknownRecordsAreRefusedByName(t *testing.T) {
	p, err := nxp.ParsePayload(blob(t, "cifarnet_et_447b3538.pte"))
	require.NoError(t, err)
	m := p.Microcode
	change := func(at int, v byte) error {
		c := m
		c.Bytes = append([]byte{}, m.Bytes...)
		c.Bytes[at] = v
		_, err := c.Decode(p.Weights)
		return err
	}
	const stream = 0x50
	err = change(stream+0xC, 7) // the tag of the first call
	require.ErrorIs(t, err, nxp.ErrUnsupported)
	require.ErrorContains(t, err, "revision 447b3538")
	require.ErrorContains(t, err, "record tag 7")
	err = change(stream+8, 6) // an operand in a space nobody has seen
	require.ErrorIs(t, err, nxp.ErrUnsupported)
	require.ErrorContains(t, err, "record 0 (opcode 0x53) of revision 447b3538")
	require.ErrorContains(t, err, "space 6")
	err = change(stream+0x4C+2, 0) // a conv that is too short
	require.Error(t, err)
	require.NoError(t, change(stream+0xE, 0xEE), "an opcode alone decides nothing")
	// Words of the first conv whose other values nobody has seen: dilation, activation, row packing.
	for word, want := range map[int]string{20: "dilation 1, found 2x1", 21: "dilation 1, found 1x2", 23: "0x2 where known kernels have 0", 31: "row packing in a first layer only"} {
		require.ErrorContains(t, change(stream+0x50+4*word, 2), want)
	}
}

// TestEveryByteMayBeWrong flips bits of all header and microcode bytes and cuts the payload at every length.
func TestEveryByteMayBeWrong(t *testing.T) {
	for _, file := range []string{"cifarnet_n1.pte", "cifarnet_et_1b86b19d.pte", "cifarnet_et_bf7fd170.pte"} {
		b := append([]byte{}, blob(t, file)...)
		p, err := nxp.ParsePayload(b)
		require.NoError(t, err)
		head := 16 + len(p.Microcode.Bytes)
		for at := range head {
			for _, flip := range []byte{1, 0x80, 0xFF} {
				b[at] ^= flip
				if d, err := nxp.Describe(b); err == nil {
					_ = d.Disassemble()
				}
				b[at] ^= flip
			}
		}
		for n := range head + 100 {
			if d, err := nxp.Describe(b[:n]); err == nil {
				_ = d.Disassemble()
			}
		}
	}
}

func FuzzDescribe(f *testing.F) {
	for _, e := range manifest(f) {
		p, err := nxp.ParsePayload(blob(f, e.Pte[0].File))
		require.NoError(f, err)
		f.Add(p.Microcode.Bytes) // alone: with their weights seeds would be too large to change much of
	}
	f.Add(blank{in: []uint32{4}, out: []uint32{4}, weights: []byte{1}}.encode())
	f.Add(blank{version: 1, in: []uint32{4, 5}, out: []uint32{4, 6}, maps: []byte{1, 0, 1, 0}, sram: 5, kernel: []byte{1}}.encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := nxp.Describe(b)
		if err == nil {
			_ = d.Disassemble()
		}
	})
}

func TestStatus(t *testing.T) {
	require.Equal(t, "Neutron error 442: firmware, category not published (component 2, category 23, code 1); reset the NPU and look the number up in the release notes of the eIQ Neutron SDK",
		nxp.Status(442).Error())
	require.Contains(t, nxp.NewStatus(nxp.ComponentFirmware, 1, 77).Error(), "wrong microcode magic or version (component 2, category 1, code 77)")
	require.ErrorIs(t, nxp.NewStatus(nxp.ComponentDriver, nxp.DriverTimeout, 1), nxp.ErrTimeout)
	for component := range 8 {
		for category := range 32 {
			s := nxp.NewStatus(component, category, 123456)
			require.Equal(t, []int{component, category, 123456}, []int{s.Component(), s.Category(), s.Code()})
			require.NotEmpty(t, s.Error())
		}
	}
}

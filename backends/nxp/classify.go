package nxp

import "fmt"

// Limits that keep products of dimensions within 64 bits.
const (
	maxDim  = 1 << 15
	maxFlat = 1 << 20 // fully connected and row counts
)

// n1Flag is the bit of the flags word that only MCX N (Neutron N1) files set.
const n1Flag = 0x10

// Decode reads the record stream into kernels. Kinds are recognised by the
// shape of the call and the room its operands have, not by opcode, which
// changes with every converter build. weights may be nil; it is needed where
// only the data tells two weight orders apart.
//
// An error names the revision and the record.
func (m *Microcode) Decode(weights []byte) ([]Kernel, error) {
	calls, err := m.Records()
	if err != nil {
		return nil, err
	}
	c := &classifier{m: m, weights: weights, starts: weightStarts(calls, m.WeightBytes), settled: map[uint16]Kind{}}
	kernels := make([]Kernel, len(calls))
	for i := range calls {
		if kernels[i], err = c.kernel(calls[i]); err != nil {
			return nil, err
		}
	}
	for i := range kernels {
		k := &kernels[i]
		if k.Note == "" {
			continue
		}
		// A call whose order nothing settles is like a settled one of its opcode.
		if kind, ok := c.settled[k.Opcode]; ok && kind.depthwise() == k.Kind.depthwise() {
			k.Kind, k.Note = kind, ""
		}
	}
	return kernels, nil
}

type classifier struct {
	m       *Microcode
	weights []byte
	starts  []uint32
	settled map[uint16]Kind // kinds of opcodes that evidence has decided
}

func (c *classifier) refuse(call *Call, want, found string) error {
	return unsupported(fmt.Sprintf("%s of revision %08x", call.part(), c.m.Revision), call.Offset, want, found)
}

// fields reads the words of a call in order.
type fields struct {
	words []uint32
	max   uint32
	bad   string
}

func (f *fields) word() uint32 {
	w := f.words[0]
	f.words = f.words[1:]
	return w
}

func (f *fields) skip(n int) { f.words = f.words[n:] }

// dim reads a dimension of at least least.
func (f *fields) dim(name string, least uint32) int {
	w := f.word()
	if (w < least || w > f.max) && f.bad == "" {
		f.bad = fmt.Sprintf("%s %d", name, w)
	}
	return int(min(w, f.max))
}

// one reads a word that has been 1 in every file seen.
func (f *fields) one(name string) {
	if w := f.word(); w != 1 && f.bad == "" {
		f.bad = fmt.Sprintf("%s %d", name, w)
	}
}

// zeros reads n words that have been 0 in every file seen: what other values mean is not known.
func (f *fields) zeros(n int) {
	for range n {
		if w := f.word(); w != 0 && f.bad == "" {
			f.bad = fmt.Sprintf("%#x where known kernels have 0", w)
		}
	}
}

func (c *classifier) kernel(call Call) (Kernel, error) {
	k := Kernel{Call: call, PoolH: 1, PoolW: 1, KernelH: 1, KernelW: 1, StrideH: 1, StrideW: 1, OutH: 1, OutW: 1, InH: 1, InW: 1}
	f := &fields{words: call.Words, max: maxDim}
	v0 := c.m.Version == 0
	var err error
	switch n, words := len(call.Spaces), len(call.Words); {
	case n == 2 && v0 && words == 21, n == 2 && !v0 && (words == 19 || words == 20):
		c.maxPool(&k, f)
	case n == 3 && v0 && (words == 9 || words == 8), n == 3 && !v0 && (words == 10 || words == 9):
		err = c.padOrSlice(&k, f)
	case n == 4 && v0 && words == 10, n == 4 && !v0 && words == 9:
		c.globalAverage(&k, f)
	case n == 4 && !v0 && words == 15:
		c.softmax(&k, f)
	case n == 5 && v0 && words == 14, n == 5 && !v0 && words == 15:
		c.fullyConnected(&k, f)
	case n == 5 && v0 && words == 35, n == 5 && !v0 && words == 33:
		err = c.conv(&k, f)
	default:
		err = c.refuse(&call, "a call of known form", fmt.Sprintf("%d operands and %d words", n, words))
	}
	if err == nil && f.bad != "" {
		err = c.refuse(&call, "values as in known kernels", f.bad)
	}
	if err == nil {
		err = c.checkExtents(&k)
	}
	return k, err
}

// setOperands gives the operands their spaces and offsets.
func (k *Kernel) setOperands() {
	for i, o := range k.operands() {
		*o = Operand{Space: k.Spaces[i], Offset: k.Words[i]}
	}
}

func (c *classifier) maxPool(k *Kernel, f *fields) {
	k.Kind = MaxPool
	k.setOperands()
	f.skip(len(k.Spaces))
	if len(k.Words) == 20 {
		f.skip(1) // a weights offset left over from the call before
	}
	c.window(k, f)
	f.skip(1) // flags
	f.zeros(1)
	if k.InC != k.OutC && f.bad == "" {
		f.bad = fmt.Sprintf("%d channels in and %d out", k.InC, k.OutC)
	}
	k.Dst.Bytes = uint64(k.OutH) * uint64(k.OutW) * uint64(k.OutC)
	k.Src.Bytes = uint64(k.InH) * uint64(k.InW) * uint64(k.InC)
}

// window reads the output, input and kernel geometry that convolutions and max pools share.
func (c *classifier) window(k *Kernel, f *fields) {
	if c.m.Version == 0 {
		f.one("batch")
	}
	k.OutH, k.OutW, k.OutC = f.dim("output height", 1), f.dim("output width", 1), f.dim("output channels", 1)
	if again := f.dim("output channels", 1); again != k.OutC && f.bad == "" {
		f.bad = fmt.Sprintf("%d and %d output channels", k.OutC, again)
	}
	if c.m.Version == 0 {
		f.one("batch")
	}
	k.InH, k.InW, k.InC = f.dim("input height", 1), f.dim("input width", 1), f.dim("input channels", 1)
	k.KernelH, k.KernelW = f.dim("kernel height", 1), f.dim("kernel width", 1)
	k.StrideH, k.StrideW = f.dim("stride height", 1), f.dim("stride width", 1)
	k.Top, k.Left, k.Bottom, k.Right = f.dim("top padding", 0), f.dim("left padding", 0), f.dim("bottom padding", 0), f.dim("right padding", 0)
	if f.bad != "" {
		return
	}
	if (k.OutH-1)*k.StrideH+k.KernelH > k.Top+k.InH+k.Bottom || (k.OutW-1)*k.StrideW+k.KernelW > k.Left+k.InW+k.Right {
		f.bad = fmt.Sprintf("%dx%d outputs of a %dx%d window, stride %dx%d, from %dx%d inputs with padding %d,%d,%d,%d",
			k.OutH, k.OutW, k.KernelH, k.KernelW, k.StrideH, k.StrideW, k.InH, k.InW, k.Top, k.Left, k.Bottom, k.Right)
	}
	if k.Top >= k.KernelH || k.Left >= k.KernelW || k.Bottom >= k.KernelH+k.StrideH || k.Right >= k.KernelW+k.StrideW {
		f.bad = fmt.Sprintf("padding %d,%d,%d,%d around a %dx%d window", k.Top, k.Left, k.Bottom, k.Right, k.KernelH, k.KernelW)
	}
}

func (c *classifier) padOrSlice(k *Kernel, f *fields) error {
	k.Kind = Pad
	k.setOperands()
	words := len(k.Words)
	f.skip(len(k.Spaces))
	f.max = maxFlat
	k.InH = f.dim("rows", 1)
	if c.m.Version == 1 {
		k.InW = f.dim("width", 1)
	}
	k.InC, k.OutC = f.dim("input channels", 1), f.dim("output channels", 1)
	if f.bad != "" {
		return nil
	}
	k.OutH, k.OutW = k.InH, k.InW
	if k.OutC < k.InC {
		k.Kind = Slice
	}
	laneFill := c.m.Version == 1 && words == 9
	if withFill := words == 9+int(c.m.Version); withFill != (k.Kind == Pad && !laneFill) {
		return c.refuse(&k.Call, "a pad or a slice", fmt.Sprintf("%d words for %d to %d channels", words, k.InC, k.OutC))
	}
	if k.Kind == Pad && !laneFill {
		fill := int32(f.word())
		if fill < -128 || fill > 127 {
			return c.refuse(&k.Call, "a fill of one int8", fmt.Sprint(fill))
		}
		k.Fill = int8(fill)
	}
	k.N1 = f.word()&n1Flag != 0
	rows := uint64(k.InH) * uint64(k.InW)
	k.Dst.Bytes, k.Src.Bytes = rows*uint64(k.OutC), rows*uint64(k.InC)
	if k.Kind == Pad && laneFill {
		if k.InC < roundUp(k.OutC, 8)-8 {
			return c.refuse(&k.Call, "a fill within the last 8 lanes", fmt.Sprintf("%d to %d channels", k.InC, k.OutC))
		}
		k.Weights.Bytes = uint64(roundUp(k.OutC, 8) + 8)
	}
	if k.Kind == Slice || laneFill {
		k.Scale = c.scale(k, f.word(), SpaceNone)
		if k.Kind == Slice && (k.Scale.Table || uint64(k.Scale.Mantissa) != 1<<min(k.Scale.Shift, 63)) {
			return c.refuse(&k.Call, "a slice with scale 1", fmt.Sprintf("%d / 2^%d", k.Scale.Mantissa, k.Scale.Shift))
		}
	}
	return nil
}

func (c *classifier) globalAverage(k *Kernel, f *fields) {
	k.Kind = GlobalAverage
	k.setOperands()
	f.skip(len(k.Spaces))
	f.one("batch")
	if c.m.Version == 0 {
		k.InH = f.dim("height", 1)
	} else {
		f.max = maxFlat
	}
	k.InW = f.dim("width", 1)
	f.max = maxDim
	k.InC = f.dim("channels", 1)
	k.OutC, k.KernelH, k.KernelW = k.InC, k.InH, k.InW
	k.N1 = f.word()&n1Flag != 0
	k.Scale = c.scale(k, f.word(), SpaceNone)
	if k.Scale.Table && f.bad == "" {
		f.bad = "a global average with a scale table"
	}
	k.Dst.Bytes = uint64(k.OutC)
	k.Src.Bytes = uint64(k.InH) * uint64(k.InW) * uint64(k.InC)
	k.BiasSets = 1
	k.Bias.Bytes = uint64(k.InBlock() * k.biasBytes())
}

func (c *classifier) softmax(k *Kernel, f *fields) {
	k.Kind = Softmax
	k.setOperands()
	f.skip(len(k.Spaces))
	f.one("word 4")
	f.one("word 5")
	f.max = maxFlat
	k.InC = f.dim("length", 1)
	k.OutC = k.InC
	f.one("word 7")
	f.one("word 8")
	f.one("word 9")
	zero := int32(f.word())
	f.skip(1) // input scale; the table already has it
	out := f.word()
	k.Scale = Scale{Mantissa: out & 0xFFFF, Shift: uint8(min(out>>16, 255)), Zero: int8(zero)}
	if (zero < -128 || zero > 127 || k.Scale.Mantissa == 0 || k.Scale.Shift > 31) && f.bad == "" {
		f.bad = fmt.Sprintf("zero point %d and output scale %#x", zero, out)
	}
	k.Dst.Bytes, k.Src.Bytes = uint64(k.OutC), uint64(k.InC)
	k.Weights.Bytes = SoftmaxPairs + 4*128
}

// SoftmaxPairs is where the 128 pairs of a softmax table begin: after 8 bytes
// and an 8×8 identity.
const SoftmaxPairs = 8 + 64

func (c *classifier) fullyConnected(k *Kernel, f *fields) {
	k.Kind = FullyConnected
	k.setOperands()
	f.skip(len(k.Spaces))
	f.max = maxFlat
	k.OutH = f.dim("rows", 1)
	k.OutPad = f.dim("padded outputs", 1)
	k.OutC = f.dim("outputs", 1)
	if k.OutPad -= k.OutC; k.OutPad < 0 && f.bad == "" {
		f.bad = fmt.Sprintf("%d outputs padded to %d", k.OutC, k.OutC+k.OutPad)
	}
	k.InC = f.dim("inputs", 1)
	k.InH = k.OutH
	f.zeros(2)
	k.N1 = f.word()&n1Flag != 0
	k.Scale = c.scale(k, f.word(), k.ScaleTab.Space)
	f.zeros(len(f.words))
	k.BiasSets = 1
	k.setDense(uint64(k.OutC) * uint64(roundUp(k.InC, k.InBlock())))
	k.Dst.Bytes = uint64(k.OutH) * uint64(k.OutC+k.OutPad)
	k.Src.Bytes = uint64(k.InH) * uint64(k.InC)
}

// setDense sets the extents of weights, bias and scale table.
func (k *Kernel) setDense(weights uint64) {
	channels := uint64(k.OutC + k.OutPad)
	k.Weights.Bytes = weights
	k.Bias.Bytes = uint64(k.BiasSets) * channels * uint64(k.biasBytes())
	switch {
	case !k.Scale.Table:
		k.ScaleTab = Operand{Space: SpaceNone}
	case k.N1:
		k.ScaleTab.Bytes = 2 * channels
	default:
		k.ScaleTab.Bytes = 4 * channels
	}
}

func (k *Kernel) biasBytes() int {
	if k.N1 {
		return 2
	}
	return 4
}

// scale decodes a scale word. Sources: published files against the scales of
// their unconverted networks, of which these are the nearest representable.
func (c *classifier) scale(k *Kernel, word uint32, table Space) Scale {
	s := Scale{Zero: int8(word >> 8)}
	switch {
	case k.N1 && table == SpaceNone:
		s.Mantissa, s.Shift = n1Scale(uint16(word >> 16))
	case !k.N1 && word&0x80 != 0:
		s.Mantissa, s.Shift = word>>16, uint8(word&0x7F)
	default:
		s.Table = true
	}
	return s
}

func n1Scale(v uint16) (mantissa uint32, shift uint8) { return uint32(v & 0x3FF), uint8(v >> 10) }

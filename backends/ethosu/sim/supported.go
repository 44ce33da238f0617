package sim

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// maxElements bounds the dense buffers that a stream can ask for.
const maxElements = 1 << 28

func unsupported(format string, args ...any) error {
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), ErrNotSupported)
}

// supported refuses operations that no compiler is known to emit, and those whose registers contradict each other.
func supported(op *stream.Op, a stream.Accelerator) error {
	for _, acc := range op.Accesses() {
		if acc.Lo < 0 {
			return fmt.Errorf("%s: want addresses in the region, have byte %d", acc.Name, acc.Lo)
		}
		if size := int64(a.SharedRAMBytes()); acc.Tables && acc.Hi > size {
			return fmt.Errorf("%s: want table memory within %d bytes, have bytes %d to %d", acc.Name, size, acc.Lo, acc.Hi)
		}
	}
	if op.Transfer != nil && op.Transfer.Dims > 3 {
		return unsupported("DMA of 4 dimensions")
	}
	k := op.Kernel
	if k == nil {
		return nil
	}
	for _, f := range []*stream.FeatureMap{&k.IFM, &k.IFM2, &k.OFM} {
		if v := float64(f.Height) * float64(f.Width) * float64(f.Depth); v > maxElements {
			return unsupported("feature map of %dx%dx%d", f.Height, f.Width, f.Depth)
		}
		if f.Storage == stream.Tile3x1 {
			return unsupported("TILE3X1 storage")
		}
	}
	switch {
	case k.IFM.Bits == 64 || k.HasIFM2 && k.IFM2.Bits == 64 && k.AccInput != stream.AccIFM2:
		return unsupported("64-bit operand")
	case k.OFM.Bits == 64:
		return unsupported("64-bit OFM")
	case k.AccBits == 16 || k.AccBits == 0:
		return unsupported("accumulators of format %d", k.AccBits)
	case k.OFMScale.Round > stream.RoundTruncToLower:
		return unsupported("rounding mode %d", k.OFMScale.Round)
	case k.Activation.Function == stream.ActTanh || k.Activation.Function == stream.ActSigmoid:
		return unsupported("built-in tanh and sigmoid")
	case op.Kind == stream.Resize && k.Resize.Mode == 1:
		return unsupported("resize mode REPLICATE")
	case k.Upscale > stream.UpscaleZeros:
		return unsupported("upscale mode %d", k.Upscale)
	case k.AccInput > stream.AccIFM2:
		return unsupported("accumulator input %d", k.AccInput)
	case k.WeightsIFM2 && (k.Window.TapsX() > 1 || k.Window.TapsY() > 1):
		return unsupported("weights from IFM2 with a kernel of %dx%d", k.Window.TapsY(), k.Window.TapsX())
	case k.Activation.Function == stream.ActTable && k.Activation.TableAddr+tableBytes(&k.Activation) > a.SharedRAMBytes():
		return fmt.Errorf("activation: want a table within %d bytes, have %d bytes at %d", a.SharedRAMBytes(), tableBytes(&k.Activation), k.Activation.TableAddr)
	case k.Activation.Function == stream.ActTable && k.Activation.TableIn > 16:
		return unsupported("table of 32-bit values")
	case k.Activation.Function == stream.ActTable && k.Activation.TableIn == 16 && k.OFM.Bits == 8:
		return unsupported("table from 16 to 8 bits")
	}
	return nil
}

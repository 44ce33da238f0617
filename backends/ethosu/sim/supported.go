package sim

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// Bounds of what a stream can ask for: elements of a feature map, multiply-accumulates of an operation, rows of a transfer.
const (
	maxElements = 1 << 26
	maxWork     = 1 << 37
	maxRows     = 1 << 24
)

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
	if t := op.Transfer; t != nil {
		if t.Dims > 3 {
			return unsupported("DMA of 4 dimensions")
		}
		if t.Rows*t.Planes > maxRows {
			return unsupported("DMA of %d rows", t.Rows*t.Planes)
		}
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
	w := &k.Window
	if rows, columns := float64(k.OFM.Height*w.StrideY+w.Height), float64(k.OFM.Width*w.StrideX+w.Width); rows*columns*float64(k.IFM.Depth) > maxElements {
		return unsupported("padded IFM of %.0fx%.0fx%d", rows, columns, k.IFM.Depth)
	}
	if work := float64(volume(&k.OFM)) * float64(max(w.Width*w.Height, 1)) * float64(max(k.IFM.Depth, 1)); work > maxWork {
		return unsupported("operation of %.0f multiply-accumulates", work)
	}
	plain := w.Width == 1 && w.Height == 1 && w.StrideX == 1 && w.StrideY == 1 && w.Top+w.Left+w.Bottom+w.Right == 0 && k.Upscale == stream.UpscaleNone
	pooled := op.Kind == stream.Pool && (k.Pool == stream.PoolReduceSum || k.Pool == stream.PoolNone)
	switch {
	case pooled && !plain:
		return unsupported("pooling mode %d with a window", k.Pool)
	case op.Kind != stream.Elementwise && !(pooled && k.Pool == stream.PoolNone) && k.IFM.Storage == stream.NoStorage:
		return unsupported("%s of a scalar", op.Kind)
	case k.WeightsIFM2 && k.IFM2.Storage == stream.NoStorage:
		return unsupported("weights from a scalar")
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
	case k.Activation.Function == stream.ActTable && k.Activation.TableIn > 16:
		return unsupported("table of 32-bit values")
	case k.Activation.Function == stream.ActTable && k.Activation.TableIn == 16 && k.OFM.Bits == 8:
		return unsupported("table from 16 to 8 bits")
	}
	return nil
}

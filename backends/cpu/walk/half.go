package walk

import "github.com/ptero-rt/ptero/backends/cpu/fmath"

// F16ToF32 widens an IEEE half.
func F16ToF32(h uint16) float32 { return fmath.Widen(h) }

// F32ToF16 narrows to an IEEE half, ties to even.
func F32ToF16(f float32) uint16 { return fmath.Narrow(f) }

// BF16ToF32 widens a bfloat16.
func BF16ToF32(h uint16) float32 { return fmath.WidenBrain(h) }

// F32ToBF16 narrows to a bfloat16, ties to even.
func F32ToBF16(f float32) uint16 { return fmath.NarrowBrain(f) }

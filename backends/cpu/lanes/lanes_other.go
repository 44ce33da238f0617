//go:build !amd64

package lanes

// Other machines have the portable loops alone.
var (
	And, Or, Xor, Add8, Sub8, Add16                               Loop
	Sub16, Add32, Sub32, Add64, Sub64, Mul16                      Loop
	Mul32, MaxU8, MaxI8, MaxI16, MaxI32, MinU8                    Loop
	MinI8, MinI16, MinI32, ShiftLeft32, ShiftRight32, ShiftLeft64 Loop
	AddF64, SubF64, MulF64, DivF64, ShiftRight64, BoolAnd         Loop
	BoolOr, BoolXor, BoolNot, Not, Neg8, Neg16                    Loop
	Neg32, Neg64, Abs8, Abs16, Abs32, AbsF64                      Loop
	NegF64, SqrtF64, FloorF64, CeilF64, TruncF64, RoundF64        Loop
	ReciprocalF64, RsqrtF64                                       Loop
)

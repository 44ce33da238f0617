//go:build !amd64

package lanes

// Other machines have the portable loops alone.
var (
	And, Or, Xor, Add8, Sub8, Add16, Sub16, Add32, Sub32, Add64, Sub64, Mul16, Mul32, MaxU8, MaxI8, MaxI16,
	MaxI32, MinU8, MinI8, MinI16, MinI32, ShiftLeft32, ShiftRight32, ShiftLeft64, AddF64, SubF64, MulF64,
	DivF64, ShiftRight64, BoolAnd, BoolOr, BoolXor, BoolNot, Not, Neg8, Neg16, Neg32, Neg64, Abs8, Abs16,
	Abs32, AbsF64, NegF64, SqrtF64, FloorF64, CeilF64, TruncF64, RoundF64, ReciprocalF64, RsqrtF64, Mul8,
	Mul64, SignU8, Sign8, Sign16, Sign32, Sign64, Abs64, Positive8, Positive16, Positive32,
	Positive64, ShiftLeft8, ShiftRightU8, ShiftRightI8, ShiftLeft16, ShiftRight16, PositiveF64, SignF64, AbsHalf, NegHalf, PositiveF16, PositiveBF16,
	DivU8, ModU8, DivI8, DivI16, DivI32, DivI64, FloorDivI8, FloorDivI16, FloorDivI32, FloorDivI64, ModI8,
	ModI16, ModI32, ModI64, FloorModI8, FloorModI16, FloorModI32, FloorModI64, ModF64, FloorModF64, FloorDivF64 Loop

	Equal8, Equal16, Equal32, Equal64, Unequal8, Unequal16, Unequal32, Unequal64, LessU8, LessI8, LessI16,
	LessI32, LessI64, LessEqualU8, LessEqualI8, LessEqualI16, LessEqualI32, LessEqualI64, EqualF64, UnequalF64,
	LessF64, LessEqualF64, NotHalf Relation

	LimitU8, LimitI8, LimitI16, LimitI32, LimitI64, LimitF64 Limit

	BetweenU8, BetweenI8, BetweenI16, BetweenI32, BetweenI64, BetweenF32, BetweenF64 Between

	Scaled8, Scaled16, Scaled32, Scaled64, ScaledF64 Scaled

	Choose8, Choose16, Choose64 Choice
)

// Fill does nothing here.
func Fill([]byte, uint64) int { return 0 }

// Spread does nothing here.
func Spread(_, _ []byte, _, _, _, _ int) int { return 0 }

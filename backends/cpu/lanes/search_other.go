//go:build !amd64

package lanes

// Other machines have the portable loops alone.
var (
	SearchMaxI32, SearchMinI32 Search[int32]
	SearchMaxI64, SearchMinI64 Search[int64]
	SearchMaxF32, SearchMinF32 Search[float32]
	SearchMaxF64, SearchMinF64 Search[float64]
)

//go:build !amd64

package lanes

func transpose8Fast(_, _ []uint8, _, _, _, _ int) int   { return 0 }
func transpose16Fast(_, _ []uint16, _, _, _, _ int) int { return 0 }
func transpose32Fast(_, _ []uint32, _, _, _, _ int) int { return 0 }
func transpose64Fast(_, _ []uint64, _, _, _, _ int) int { return 0 }

// Fill does nothing here.
func Fill([]byte, uint64) int { return 0 }

// Spread does nothing here.
func Spread(_, _ []byte, _, _, _, _ int) int { return 0 }

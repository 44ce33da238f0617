package lanes

// Transpose32 writes the first rows of width elements, from apart, as columns, to apart, and says how many rows it did:
// the caller's portable loop does the rest.
func Transpose32(dst, src []uint32, rows, width, from, to int) int {
	return transpose32Fast(dst, src, rows, width, from, to)
}

// Transpose64 is Transpose32 for wider elements.
func Transpose64(dst, src []uint64, rows, width, from, to int) int {
	return transpose64Fast(dst, src, rows, width, from, to)
}

// Transpose16 is Transpose32 for elements of two bytes.
func Transpose16(dst, src []uint16, rows, width, from, to int) int {
	return transpose16Fast(dst, src, rows, width, from, to)
}

// Transpose8 is Transpose32 for bytes.
func Transpose8(dst, src []uint8, rows, width, from, to int) int {
	return transpose8Fast(dst, src, rows, width, from, to)
}

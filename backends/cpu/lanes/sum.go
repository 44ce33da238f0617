package lanes

// SumI64 adds with wrap-around.
func SumI64(x []int64) int64 { return sum(sumI64, 4, x) }

// SumI32 adds.
func SumI32(x []int32) int64 { return sum(sumI32, 8, x) }

// SumI16 adds.
func SumI16(x []int16) int64 { return sum(sumI16, 16, x) }

// SumI8 adds.
func SumI8(x []int8) int64 {
	if sumI8 == nil {
		return total(0, x)
	}
	return sum(sumI8, 32, x) - 128*int64(len(x)&^31)
}

// SumU8 adds.
func SumU8(x []uint8) int64 { return sum(sumU8, 32, x) }

// sum leaves what does not fill a vector, of some elements, to a portable loop.
func sum[T uint8 | int8 | int16 | int32 | int64](vectors func(int, *T) int, step int, x []T) int64 {
	n := len(x) &^ (step - 1)
	if n == 0 || vectors == nil {
		return total(0, x)
	}
	return total(int64(vectors(n/step*vector, &x[0])), x[n:])
}

// CountBool is the number of those that are not 0.
func CountBool(x []uint8) int64 {
	s := int64(0)
	if n := len(x) &^ 31; n > 0 && count != nil {
		s, x = int64(count(n, &x[0])), x[n:]
	}
	for _, v := range x {
		s += int64(min(v, 1))
	}
	return s
}

func total[T uint8 | int8 | int16 | int32 | int64](s int64, x []T) int64 {
	var a, b, c int64
	for len(x) >= 4 {
		s += int64(x[0])
		a += int64(x[1])
		b += int64(x[2])
		c += int64(x[3])
		x = x[4:]
	}
	for _, v := range x {
		s += int64(v)
	}
	return s + a + b + c
}

// SumF64 adds to eight sums, one for every eighth element.
func SumF64(sums *[8]float64, x []float64) {
	s0, s1, s2, s3, s4, s5, s6, s7 := sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], sums[6], sums[7]
	for len(x) >= 8 {
		s0 += x[0]
		s1 += x[1]
		s2 += x[2]
		s3 += x[3]
		s4 += x[4]
		s5 += x[5]
		s6 += x[6]
		s7 += x[7]
		x = x[8:]
	}
	*sums = [8]float64{s0, s1, s2, s3, s4, s5, s6, s7}
	for i, v := range x {
		sums[i] += v
	}
}

// The functions below add each of x to the sum at its place.

// AddU8 adds bytes.
func AddU8(sums []int64, x []uint8) { add(wideU8, sums, x) }

// AddI8 adds signed bytes.
func AddI8(sums []int64, x []int8) { add(wideI8, sums, x) }

// AddI16 adds numbers of 16 bits.
func AddI16(sums []int64, x []int16) { add(wideI16, sums, x) }

// AddI32 adds numbers of 32 bits.
func AddI32(sums []int64, x []int32) { add(wideI32, sums, x) }

// AddBool adds 1 for each that is not 0.
func AddBool(sums []int64, x []uint8) {
	for i := eights(wideBool, sums, x); i < len(x); i++ {
		sums[i] += int64(min(x[i], 1))
	}
}

func add[T uint8 | int8 | int16 | int32](vectors func(int, *int64, *T), sums []int64, x []T) {
	for i := eights(vectors, sums, x); i < len(x); i++ {
		sums[i] += int64(x[i])
	}
}

// eights adds what fills vectors, and says how many that were.
func eights[T uint8 | int8 | int16 | int32](vectors func(int, *int64, *T), sums []int64, x []T) int {
	n := len(x) &^ 7
	if n == 0 || vectors == nil {
		return 0
	}
	_ = sums[n-1]
	vectors(n, &sums[0], &x[0])
	return n
}

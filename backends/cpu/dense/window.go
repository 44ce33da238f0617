package dense

// Windows is how many windows of kernel taps, dil apart, fit n elements with pad at both ends, stride apart; 0 if none
// does. With ceil a last window may reach beyond the padding, but must begin within the elements or the left padding.
func Windows(n, kernel, stride, pad, dil int, ceil bool) int {
	span := n + 2*pad - dil*(kernel-1) - 1
	if ceil {
		span += stride - 1
	}
	if span < 0 {
		return 0
	}
	count := span/stride + 1
	if ceil && (count-1)*stride >= n+pad {
		count--
	}
	return count
}

// Spread is how many elements windows make of n that spread out, one each: what a transposed convolution gives, where
// extra are added at the end.
func Spread(n, kernel, stride, pad, dil, extra int) int {
	return (n-1)*stride - 2*pad + dil*(kernel-1) + extra + 1
}

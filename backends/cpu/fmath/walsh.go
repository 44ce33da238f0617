package fmath

// Walsh replaces numbers, as many as a power of two, by their Walsh-Hadamard transform in natural order, without a scale.
func Walsh(x []float32) {
	step := 1
	if n := fast(len(x), 8); n > 0 {
		avxWalsh(n, &x[0])
		step = n
	}
	for ; step < len(x); step *= 2 {
		for i := 0; i < len(x); i += 2 * step {
			a, b := x[i:i+step], x[i+step:][:step]
			for j, u := range a {
				v := b[j]
				a[j], b[j] = u+v, u-v
			}
		}
	}
}

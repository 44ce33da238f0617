package fmath

// Walsh replaces numbers, as many as a power of two, by their Walsh-Hadamard transform in natural order, without a scale.
func Walsh(x []float32) {
	for step := walshFast(x); step < len(x); step *= 2 {
		for i := 0; i < len(x); i += 2 * step {
			a, b := x[i:i+step], x[i+step:][:step]
			for j, u := range a {
				v := b[j]
				a[j], b[j] = u+v, u-v
			}
		}
	}
}

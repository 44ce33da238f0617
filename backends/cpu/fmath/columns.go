package fmath

import "math"

// The functions below are StandardiseRows, or StandardiseChannels if single is set, for rows that lie side by side: number i
// of row j is src[i*dx+j], and its result dst[i*dy+j]. Rows have n numbers each, and there are as many as mean has elements.
// Results may lie where the numbers do.

// StandardiseColumns does so for float32 numbers.
func StandardiseColumns(dst, src []float32, n, dy, dx int, weight, bias []float32, single bool, mean, rstd []float32, eps float64) {
	done := streamColumns(dst, src, n, dy, dx, weight, bias, single, mean, rstd, eps)
	standardiseRest(dst, src, n, dy, dx, weight, bias, single, mean, rstd, eps, done, avxStandardiseColumns)
}

// StandardiseDoubleColumns does so for float64 numbers.
func StandardiseDoubleColumns(dst, src []float64, n, dy, dx int, weight, bias []float64, single bool, mean, rstd []float64, eps float64) {
	done := streamColumns(dst, src, n, dy, dx, weight, bias, single, mean, rstd, eps)
	standardiseRest(dst, src, n, dy, dx, weight, bias, single, mean, rstd, eps, done, avxStandardiseDoubleColumns)
}

// standardiseRest does the columns from number done on.
func standardiseRest[T float32 | float64](dst, src []T, n, dy, dx int, weight, bias []T, single bool, mean, rstd []T, eps float64, done int,
	vectors func(n, width int, dst, src *T, dy, dx int, weight, bias *T, single bool, mean, rstd *T, eps float64)) {
	if single && weight != nil {
		weight, bias = weight[done:], bias[done:]
	}
	if mean = mean[done:]; len(mean) > 0 {
		standardiseColumns(dst[done:], src[done:], n, dy, dx, weight, bias, single, mean, rstd[done:], eps, vectors)
	}
}

// stream is how many columns are gone through together, line by line.
const stream = 64

// streamColumns does columns whose numbers are too many, or too far apart, to be gone through a few columns at a time, and
// says how many: a multiple of eight.
func streamColumns[T float32 | float64](dst, src []T, n, dy, dx int, weight, bias []T, single bool, mean, rstd []T, eps float64) int {
	width := len(mean) &^ 7
	if !haveAVX2 || n < 16 || width < 16 || n*dx < 1<<12 {
		return 0
	}
	_, _ = dst[(n-1)*dy+width-1], src[(n-1)*dx+width-1]
	var lanes [8 * stream]float64
	var means, scales, shifts [stream]float64
	one, none := 1.0, math.Copysign(0, -1) // these change no product and no sum
	if weight != nil && !single {
		for j := range shifts {
			shifts[j] = none
		}
	}
	for at := 0; at < width; at += stream {
		w := min(stream, width-at)
		m, x, y := means[:w], src[at:], dst[at:]
		addLines(&lanes, w, x, n, dx)
		JoinLanes(lanes[:8*w], w)
		Divide(m, lanes[:w], float64(n))
		addSquares(&lanes, w, x, n, dx, &means)
		JoinLanes(lanes[:8*w], w)
		Divide(scales[:w], lanes[:w], float64(n))
		InverseRootsF64(scales[:w], scales[:w], eps)
		for j, r := range scales[:w] {
			mean[at+j], rstd[at+j] = T(m[j]), T(r)
			if single && weight != nil {
				scales[j], shifts[j] = r*float64(weight[at+j]), float64(bias[at+j])
			}
		}
		for i := range n {
			if weight != nil && !single {
				one, none = float64(weight[i]), float64(bias[i])
			}
			writeLine(y[i*dy:][:w], x[i*dx:][:w], &means, &scales, &shifts, one, none)
		}
	}
	return width
}

// The functions below choose the assembly, which is called by its name so that what it is given stays on the stack.

func addLines[T float32 | float64](lanes *[8 * stream]float64, width int, x []T, n, step int) {
	switch x := any(x).(type) {
	case []float32:
		avxAccumulateLines(n, width, &lanes[0], 8*width, &x[0], step, 0)
	case []float64:
		avxAccumulateDoubleLines(n, width, &lanes[0], 8*width, &x[0], step, 0)
	}
}

func addSquares[T float32 | float64](lanes *[8 * stream]float64, width int, x []T, n, step int, means *[stream]float64) {
	switch x := any(x).(type) {
	case []float32:
		avxSpreadLines(n, width, &lanes[0], 8*width, &x[0], step, 0, &means[0])
	case []float64:
		avxSpreadDoubleLines(n, width, &lanes[0], 8*width, &x[0], step, 0, &means[0])
	}
}

func writeLine[T float32 | float64](y, x []T, means, scales, shifts *[stream]float64, weight, bias float64) {
	switch x := any(x).(type) {
	case []float32:
		avxStandardiseLine(len(x), &any(y).([]float32)[0], &x[0], &means[0], &scales[0], &shifts[0], weight, bias)
	case []float64:
		avxStandardiseDoubleLine(len(x), &any(y).([]float64)[0], &x[0], &means[0], &scales[0], &shifts[0], weight, bias)
	}
}

func standardiseColumns[T float32 | float64](dst, src []T, n, dy, dx int, weight, bias []T, single bool, mean, rstd []T, eps float64, vectors func(n, width int, dst, src *T, dy, dx int, weight, bias *T, single bool, mean, rstd *T, eps float64)) {
	width := len(mean)
	if n == 0 || width == 0 {
		return
	}
	rstd = rstd[:width]
	_, _ = dst[(n-1)*dy+width-1], src[(n-1)*dx+width-1]
	if weight != nil {
		each := n
		if single {
			each = width
		}
		weight, bias = weight[:each], bias[:each]
	}
	done := 0
	if haveAVX2 && width >= 4 {
		four := func(at, width int) {
			var w, b *T
			switch {
			case weight == nil:
			case single:
				w, b = &weight[at], &bias[at]
			default:
				w, b = &weight[0], &bias[0]
			}
			vectors(n, width, &dst[at], &src[at], dy, dx, w, b, single, &mean[at], &rstd[at], eps)
		}
		done = width &^ 3
		four(0, done)
		if done < width && &dst[0] != &src[0] {
			four(width-4, 4) // some again
			return
		}
	}
	for ; done < width; done += abreast {
		w, b, end := weight, bias, min(done+abreast, width)
		if single && w != nil {
			w, b = w[done:end], b[done:end]
		}
		standardiseFew(dst[done:], src[done:], n, dy, dx, w, b, single, mean[done:end], rstd[done:end], eps)
	}
}

// abreast is how many columns portable code does at a time, so that it reads lines not number by number.
const abreast = 8

// standardiseFew does at most that many.
func standardiseFew[T float32 | float64](dst, src []T, n, dy, dx int, weight, bias []T, single bool, mean, rstd []T, eps float64) {
	width := len(mean)
	var sums, squares [8][abreast]float64 // by lane
	var means, scales, shifts [abreast]float64
	for i := range n {
		lane := &sums[i&7]
		for j, v := range src[i*dx:][:width] {
			lane[j&7] += float64(v)
		}
	}
	for j := range width {
		means[j] = columnTotal(&sums, j) / float64(n)
	}
	for i := range n {
		lane := &squares[i&7]
		for j, v := range src[i*dx:][:width] {
			d := float64(v) - means[j&7]
			lane[j&7] += float64(d * d)
		}
	}
	for j := range width {
		r := 1 / math.Sqrt(columnTotal(&squares, j)/float64(n)+eps)
		mean[j], rstd[j] = T(means[j]), T(r)
		if single && weight != nil {
			r, shifts[j] = r*float64(weight[j]), float64(bias[j])
		}
		scales[j] = r
	}
	for i := range n {
		x, y := src[i*dx:][:width], dst[i*dy:][:width]
		if weight == nil || single {
			for j, v := range x {
				y[j] = T(float64((float64(v)-means[j&7])*scales[j&7]) + shifts[j&7])
			}
			continue
		}
		w, b := float64(weight[i]), float64(bias[i])
		for j, v := range x {
			y[j] = T(float64(float64((float64(v)-means[j&7])*scales[j&7])*w) + b)
		}
	}
}

// columnTotal is total of a column of lanes.
func columnTotal(lanes *[8][abreast]float64, j int) float64 {
	var s [8]float64
	for k := range s {
		s[k] = lanes[k][j]
	}
	return total(&s)
}

package walk

// RowsKernel is a RowKernel that takes neighbouring rows together where they lie behind one another, on all sides.
type RowsKernel interface {
	RowKernel
	Rows(part, row, rows int, outs *[3][]byte, in []byte)
}

// convertBlock is how many elements are converted together for rows that lie behind one another.
const convertBlock = 1 << 12

// together takes the call up if rows lie evenly spaced and each row's elements behind one another: the kernel then gets
// them where they lie, or many at once in temp memory, converted.
func (r *Rows) together() {
	behind := r.across.Rank == 1 && (r.count == 1 || r.across.Stride[0] == r.n)
	direct := r.direct
	if r.n == 0 || r.across.Rank != 1 || !r.along.Packed() {
		return
	}
	for k := range r.nouts {
		o := &r.outs[k]
		if o.n == 0 || o.across.Rank != 1 || !o.along.Packed() {
			return
		}
		behind = behind && (r.count == 1 || o.across.Stride[0] == o.n)
		direct = direct && o.direct
	}
	switch {
	case behind && direct:
		r.step = max(1, slice/r.n)
	case behind:
		r.step = max(1, min(r.count, convertBlock/r.n))
	case direct:
		r.step = 1
	default:
		return
	}
	r.block = 0
	if !r.direct {
		r.block = pad(r.step * r.n * r.as.Size())
	}
	for k := range r.nouts {
		if o := &r.outs[k]; !o.direct {
			o.buf = r.block
			r.block += pad(r.step * o.n * o.cast.From.Size())
		}
	}
}

// doTogether does rows lo to hi, whose temp memory is temp.
func (r *Rows) doTogether(part, lo, hi int, temp []byte) {
	outs := &r.slots[part].outs
	all := &r.slots[part].all
	many, _ := r.Kernel.(RowsKernel)
	size, bytes := r.cast.From.Size(), r.n*r.as.Size()
	for row := lo; row < hi; row += r.step {
		rows := min(r.step, hi-row)
		off := row * r.across.Stride[0]
		in := r.in.Data[off*size:][:rows*r.n*size]
		if !r.direct {
			in = temp[:rows*bytes]
			r.cast.Load(in, r.in.Data, off, 1, rows*r.n)
		}
		for k := range r.nouts {
			o := &r.outs[k]
			if n := rows * o.n * o.cast.From.Size(); o.direct {
				all[k] = o.t.Data[row*o.across.Stride[0]*o.cast.From.Size():][:n]
			} else {
				all[k] = temp[o.buf:][:n]
			}
		}
		if many != nil {
			many.Rows(part, row, rows, all, in)
		} else {
			for i := range rows {
				for k := range r.nouts {
					n := r.outs[k].n * r.outs[k].cast.From.Size()
					outs[k] = all[k][i*n:][:n]
				}
				r.Kernel.Row(part, row+i, outs, in[i*bytes:][:bytes])
			}
		}
		for k := range r.nouts {
			if o := &r.outs[k]; !o.direct {
				o.cast.Load(o.t.Data[row*o.across.Stride[0]*o.cast.To.Size():], all[k], 0, 1, rows*o.n)
			}
		}
	}
}

package walk

import "github.com/ptero-rt/ptero/backends/cpu/plane"

// RowsKernel is a RowKernel that takes neighbouring rows together where they lie behind one another, on all sides.
type RowsKernel interface {
	RowKernel
	Rows(part, row, rows int, outs *[3][]byte, in []byte)
}

// convertBlock is how many elements are converted together for rows that lie behind one another.
const convertBlock = 1 << 12

// together takes the call up if rows lie evenly spaced and each row's elements behind one another, or in runs: the kernel then
// gets them where they lie, or many at once in temp memory, converted or brought together.
func (r *Rows) together() {
	if r.n == 0 || !evenly(&r.across, &r.along, &r.cast) {
		return
	}
	packed, behind, direct := r.along.Packed(), r.behind(&r.across, &r.along), r.direct
	for k := range r.nouts {
		o := &r.outs[k]
		if o.n == 0 || !evenly(&o.across, &o.along, &o.cast) {
			return
		}
		packed = packed && o.along.Packed()
		behind = behind && r.behind(&o.across, &o.along)
		direct = direct && o.direct
	}
	switch {
	case behind && direct:
		r.step = max(1, slice/r.n)
	case packed && direct:
		r.step = 1
	case behind:
		r.step = max(1, min(r.count, convertBlock/r.n))
	case !packed:
		r.step = max(1, min(r.count, blockBytes/(r.n*r.as.Size())))
	default:
		return
	}
	r.there = r.direct && (r.step == 1 || r.behind(&r.across, &r.along))
	r.block = 0
	if !r.there {
		r.block = pad(r.step * r.n * r.as.Size())
	}
	for k := range r.nouts {
		o := &r.outs[k]
		if o.there = o.direct && (r.step == 1 || r.behind(&o.across, &o.along)); !o.there {
			o.buf = r.block
			r.block += pad(r.step * o.n * o.cast.From.Size())
		}
	}
}

// evenly says whether the elements of a row lie behind one another, or in runs unless they are to be converted.
func evenly(across, along *View, cast *Cast) bool {
	return across.Rank == 1 && (along.Packed() || along.Rank == 2 && along.Stride[1] == 1 && cast.Same())
}

// behind says whether all rows lie behind one another.
func (r *Rows) behind(across, along *View) bool {
	return along.Packed() && (r.count == 1 || across.Stride[0] == along.N)
}

// runs is how some rows go from their places to one behind the other: as n planes, the places of which are off apart there and
// at apart here. A plane is a run of all rows, or a row.
func runs(across, along *View, rows, size int) (p plane.Plane, n, off, at int) {
	row, run, count := across.Stride[0], along.N, 1
	if along.Rank == 2 {
		count, run, off = along.Size[0], along.Size[1], along.Stride[0]
	}
	if p = (plane.Plane{Size: size, Rows: rows, Columns: run}); rows < count {
		p.Rows, p.To, p.From = count, plane.Strides{Row: run, Column: 1}, plane.Strides{Row: off, Column: 1}
		return p, rows, row, along.N
	}
	p.To, p.From = plane.Strides{Row: along.N, Column: 1}, plane.Strides{Row: row, Column: 1}
	return p, count, off, run
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
		in := temp
		if r.there {
			in = r.in.Data[off*size:]
		}
		in = in[:rows*bytes]
		switch {
		case r.there:
		case r.cast.Same():
			p, n, next, step := runs(&r.across, &r.along, rows, size)
			way := p.Way()
			for i := range n {
				way.Move(in, i*step, r.in.Data, off+i*next)
			}
		default:
			r.cast.Load(in, r.in.Data, off, 1, rows*r.n)
		}
		for k := range r.nouts {
			o := &r.outs[k]
			if n := rows * o.n * o.cast.From.Size(); o.there {
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
			o, from := &r.outs[k], all[k]
			switch off := row * o.across.Stride[0]; {
			case o.there:
			case o.cast.Same():
				p, n, next, step := runs(&o.across, &o.along, rows, o.cast.To.Size())
				p.To, p.From = p.From, p.To
				way := p.Way()
				for i := range n {
					way.Move(o.t.Data, off+i*next, from, i*step)
				}
			default:
				o.cast.Load(o.t.Data[off*o.cast.To.Size():], from, 0, 1, rows*o.n)
			}
		}
	}
}

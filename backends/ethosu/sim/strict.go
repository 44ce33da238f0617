package sim

import (
	"errors"
	"fmt"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// ErrUninitialised marks a stream that reads bytes that neither the host nor the stream wrote before.
var ErrUninitialised = errors.New("memory is read that nobody wrote")

// ErrHazard marks a stream that lacks a wait.
var ErrHazard = errors.New("a wait is missing")

// maxTracked bounds the memory that strict loading follows byte by byte.
const maxTracked = 1 << 30

// tracker follows which bytes of each region, and of the table memory, have been written.
type tracker struct {
	written [ethosu.RegionCount][]bool
	tables  []bool
}

// inspect walks the stream in order, branches taken as if they fell through, and returns what strict loading refuses.
func inspect(p *Program, n ethosu.Network) []error {
	var faults []error
	for _, h := range p.stream.Hazards() {
		op := &p.stream.Ops[h.Op]
		faults = append(faults, fmt.Errorf("%s at byte %d of the stream: %s: %w", op.Kind, op.Offset, h, ErrHazard))
	}
	t := tracker{tables: make([]bool, p.stream.Accelerator.SharedRAMBytes())}
	for r := range t.written {
		if p.need[r] > maxTracked {
			return append(faults, unsupported("strict loading of a region of %d bytes", p.need[r]))
		}
		t.written[r] = make([]bool, p.need[r])
	}
	fill(t.written[ethosu.RegionWeights])
	if n.Inputs == nil { // nobody says which bytes the host writes
		for r := range t.written {
			if r != ethosu.RegionFastScratch {
				fill(t.written[r])
			}
		}
	}
	for _, in := range n.Inputs {
		w := t.written[in.Region]
		fill(w[min(in.Offset, uint64(len(w))):min(in.Offset+in.Bytes(), uint64(len(w)))])
	}
	for i := range p.stream.Ops {
		if err := t.operation(&p.stream.Ops[i]); err != nil {
			op := &p.stream.Ops[i]
			faults = append(faults, fmt.Errorf("%s at byte %d of the stream: %w", op.Kind, op.Offset, err))
		}
	}
	return faults
}

func fill(b []bool) {
	for i := range b {
		b[i] = true
	}
}

// operation checks what op reads and notes what it writes.
func (t *tracker) operation(op *stream.Op) error {
	if op.Transfer != nil {
		t.transfer(op.Transfer)
		return nil
	}
	k := op.Kernel
	if k == nil {
		return nil
	}
	var errs []error
	for _, a := range op.Accesses() {
		switch {
		case a.Write:
		case a.Name == "IFM":
			errs = append(errs, t.read(a, &k.IFM))
		case a.Name == "IFM2":
			errs = append(errs, t.read(a, &k.IFM2))
		case a.Tables:
			errs = append(errs, unwritten(a, t.tables, a.Lo, a.Hi))
		default:
			errs = append(errs, unwritten(a, t.written[a.Region], a.Lo, a.Hi))
		}
	}
	if f := &k.OFM; f.InMemory() && !k.NoOutput {
		h, w, c := k.StoredShape()
		pieces(f, h, w, c, func(lo, hi int64) bool {
			fill(t.written[f.Region][lo:hi])
			return true
		})
	}
	return errors.Join(errs...)
}

func (t *tracker) read(a stream.Access, f *stream.FeatureMap) (err error) {
	pieces(f, f.Height, f.Width, f.Depth, func(lo, hi int64) bool {
		err = unwritten(a, t.written[f.Region], lo, hi)
		return err == nil
	})
	return err
}

func unwritten(a stream.Access, written []bool, lo, hi int64) error {
	for at := lo; at < hi; at++ {
		if !written[at] {
			where := fmt.Sprintf("region %d", a.Region)
			if a.Tables {
				where = "the table memory"
			}
			return fmt.Errorf("%s: byte %d of %s: %w", a.Name, at, where, ErrUninitialised)
		}
	}
	return nil
}

// pieces calls f with the runs of bytes that a feature map of a shape occupies, until f returns false.
func pieces(m *stream.FeatureMap, height, width, depth int, f func(lo, hi int64) bool) {
	elem := m.ElemBytes()
	for y := range height {
		for x := range width {
			for c := 0; c < depth; {
				n := depth - c
				if m.Layout == stream.NHCWB16 {
					n = min(n, 16)
				}
				lo := m.Offset(y, x, c)
				if !f(lo, lo+int64(n*elem)) {
					return
				}
				c += n
			}
		}
	}
}

// transfer copies the state of the bytes: moving what nobody wrote is no fault before it is used.
func (t *tracker) transfer(x *stream.Transfer) {
	src, dst := t.written[x.Src.Region], t.written[x.Dst.Region]
	if x.SrcInternal {
		src = t.tables
	}
	if x.DstInternal {
		dst = t.tables
	}
	n := int64(x.Src.Bytes)
	for plane := range int64(x.Planes) {
		for row := range int64(x.Rows) {
			from := int64(x.Src.Base) + row*x.SrcStride[0] + plane*x.SrcStride[1]
			to := int64(x.Dst.Base) + row*x.DstStride[0] + plane*x.DstStride[1]
			switch {
			case x.Scatter: // which rows is known only when the stream runs
				lo, hi := x.Extents()
				fill(dst[lo:hi])
				return
			case x.Gather:
				fill(dst[to : to+n])
			default:
				copy(dst[to:to+n], src[from:from+n])
			}
		}
	}
}

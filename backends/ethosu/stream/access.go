package stream

// Offset returns the byte offset of an element of the feature map in its region: the tile that holds it, then the
// strides of the layout. The channel stride is not used by NHWC, the x stride not by NHCWB16.
func (f *FeatureMap) Offset(y, x, c int) int64 {
	tile, y, x := f.Tile(y, x)
	elem := int64(f.ElemBytes())
	at := int64(f.Base[tile]) + int64(y)*f.StrideY
	if f.Layout == NHWC {
		return at + int64(x)*f.StrideX + int64(c)*elem
	}
	return at + int64(c/16)*f.StrideC + int64(x)*16*elem + int64(c%16)*elem
}

// Tile returns the tile that holds a row and column, and the coordinates in the tile.
func (f *FeatureMap) Tile(y, x int) (tile, tileY, tileX int) {
	if f.Storage == Tile3x1 {
		switch {
		case y < f.Height0:
			return 0, y, x
		case y < f.Height0+f.Height1:
			return 1, y - f.Height0, x
		}
		return 2, y - f.Height0 - f.Height1, x
	}
	height := f.Height0
	if x >= f.Width0 {
		tile, x, height = 1, x-f.Width0, f.Height1
	}
	if y >= height {
		tile, y = tile+2, y-height
	}
	return tile, y, x
}

// InMemory reports whether the feature map lies in a region.
func (f *FeatureMap) InMemory() bool {
	return f.Storage == Tile2x2 || f.Storage == Tile3x1
}

// Extent returns the bytes of the region that a tensor of this shape touches at most: [lo, hi).
func (f *FeatureMap) Extent(height, width, depth int) (lo, hi int64) {
	if height < 1 || width < 1 || depth < 1 {
		return 0, 0
	}
	first := true
	corner := func(y, x, c int) {
		at := f.Offset(y, x, c)
		if first || at < lo {
			lo = at
		}
		if end := at + int64(f.ElemBytes()); first || end > hi {
			hi = end
		}
		first = false
	}
	ends := func(n int, cuts ...int) []int {
		list := []int{0, n - 1}
		for _, c := range cuts {
			if c > 0 && c < n {
				list = append(list, c-1, c)
			}
		}
		return list
	}
	lastBrick := (depth - 1) / 16 * 16
	for _, y := range ends(height, f.Height0, f.Height1, f.Height0+f.Height1) {
		for _, x := range ends(width, f.Width0) {
			for _, c := range ends(depth, 16, lastBrick) {
				corner(y, x, c)
			}
		}
	}
	return lo, hi
}

// StoredShape returns the shape of the output as it lies in memory: height, width and depth after the transpose.
func (k *Kernel) StoredShape() (height, width, depth int) {
	h, w, c := k.OFM.Height, k.OFM.Width, k.OFM.Depth
	switch k.Transpose {
	case WHC:
		return w, h, c
	case HCW:
		return h, c, w
	case WCH:
		return w, c, h
	case CHW:
		return c, h, w
	case CWH:
		return c, w, h
	}
	return h, w, c
}

// Access is a range of memory that an operation reads or writes.
type Access struct {
	Name   string // "IFM", "weights 1", "DMA destination", …
	Region uint8
	Lo, Hi int64 // bytes [Lo, Hi) of the region, or of the table memory
	Write  bool
	Tables bool // the table memory of the NPU, not a region
}

// Accesses returns what op touches. A gather or scatter may touch every row up to its greatest index.
func (op *Op) Accesses() []Access {
	var list []Access
	add := func(name string, region uint8, lo, hi int64, write bool) {
		if hi > lo {
			list = append(list, Access{Name: name, Region: region, Lo: lo, Hi: hi, Write: write})
		}
	}
	switch {
	case op.Kernel != nil:
		k := op.Kernel
		if f := &k.IFM; f.InMemory() && !(op.Kind == Pool && k.Pool == PoolNone) {
			lo, hi := f.Extent(f.Height, f.Width, f.Depth)
			add("IFM", f.Region, lo, hi, false)
		}
		if f := &k.IFM2; k.HasIFM2 && f.InMemory() {
			lo, hi := f.Extent(f.Height, f.Width, f.Depth)
			add("IFM2", f.Region, lo, hi, false)
		}
		for i, w := range k.Weights {
			add("weights "+string(rune('0'+i)), w.Region, int64(w.Base), int64(w.Base+w.Bytes), false)
		}
		for i, s := range k.Scales {
			add("scales "+string(rune('0'+i)), s.Region, int64(s.Base), int64(s.Base+s.Bytes), false)
		}
		if f := &k.OFM; f.InMemory() && !k.NoOutput {
			h, w, c := k.StoredShape()
			lo, hi := f.Extent(h, w, c)
			add("OFM", f.Region, lo, hi, true)
		}
		if a := &k.Activation; a.Function == ActTable {
			list = append(list, Access{"table", 0, int64(a.TableAddr), int64(a.TableAddr + a.TableBytes()), false, true})
		}
	case op.Transfer != nil:
		t := op.Transfer
		lo, hi := t.extent(t.Src.Base, t.SrcStride, t.Gather)
		list = append(list, Access{"DMA source", t.Src.Region, lo, hi, false, t.SrcInternal})
		lo, hi = t.extent(t.Dst.Base, t.DstStride, t.Scatter)
		list = append(list, Access{"DMA destination", t.Dst.Region, lo, hi, true, t.DstInternal})
		if t.Gather || t.Scatter {
			perPlane := int64(t.Rows)*4 + t.IndexSkip
			last := int64(t.Index.Base) + int64(t.Planes-1)*perPlane
			add("DMA indices", t.Index.Region, min(int64(t.Index.Base), last), max(int64(t.Index.Base), last)+int64(t.Rows)*4, false)
		}
	}
	return list
}

// Extents returns the bytes of the destination's region, [lo, hi), that the transfer may write.
func (t *Transfer) Extents() (lo, hi int64) { return t.extent(t.Dst.Base, t.DstStride, t.Scatter) }

// maxReach is more than any region has.
const maxReach = 1 << 50

func (t *Transfer) extent(base uint64, stride [2]int64, indexed bool) (lo, hi int64) {
	rows := int64(t.Rows)
	if indexed {
		rows = t.IndexMax + 1
	}
	lo = int64(base)
	hi = lo
	for dim, n := range [2]int64{rows, int64(t.Planes)} {
		if n < 1 {
			return lo, lo
		}
		span := (n - 1) * max(min(stride[dim], maxReach/n), -maxReach/n) // no product of 40-bit strides overflows
		if span < 0 {
			lo += span
		} else {
			hi += span
		}
	}
	return lo, hi + int64(t.Src.Bytes)
}

// RegionBytes returns for each region how many bytes the stream touches, counted from the region's start. It is how
// the size of the fast scratch is known, which a .pte does not store.
func (s *Stream) RegionBytes() [8]uint64 {
	var n [8]uint64
	for i := range s.Ops {
		for _, a := range s.Ops[i].Accesses() {
			if !a.Tables && a.Hi > 0 {
				n[a.Region] = max(n[a.Region], uint64(a.Hi))
			}
		}
	}
	return n
}

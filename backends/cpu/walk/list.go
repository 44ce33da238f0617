package walk

// isList says whether the indices are one list, of numbers, whose positions lie evenly on the other side, and whose block
// is one run on both: rows of a table, as embeddings are looked up. It needs no cursors.
func (x *Index) isList() bool {
	if x.npicks != 1 || x.picks[0].mask || x.inner || !x.at.Single() || x.side.Rank != 1 || x.picks[0].view.Rank != 1 {
		return false
	}
	run := x.block.Rank == 1 && x.beside.Rank == 1 && x.block.Stride[0] == 1 && x.beside.Stride[0] == 1
	return run || x.block.N == 1
}

// list is Run for one list.
func (x *Index) list(e *Exchange, t, other []byte, table []int64) error {
	p, step, to, base := &x.picks[0], x.side.Stride[0], x.side.Base+x.beside.Base, x.block.Base
	for done := 0; done < x.side.N; done += indexBlock {
		table := table[:min(indexBlock, x.side.N-done)]
		if bad, ok := p.places(table, p.view.Base+done*p.view.Stride[0], int64(x.stride[p.dim]), x.Wrap, true); !ok {
			return p.outside(bad, x.Wrap)
		}
		if x.block.N == 1 {
			e.table(t, table, base, other, to+done*step, step)
		} else {
			e.rows(t, table, base, other, to+done*step, step, x.block.N)
		}
	}
	return nil
}

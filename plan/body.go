package plan

// bodies are the rigid bodies: sets of items with the offset of each in its body.
type bodies struct {
	parent []int
	rel    []int64 // to the parent
	size   []int
	least  []int64 // by root: the lowest offset of a member; made by settle
}

// newBodies makes a body of each group of the file.
func newBodies(items []item) *bodies {
	b := &bodies{parent: make([]int, len(items)), rel: make([]int64, len(items)), size: make([]int, len(items))}
	for i := range items {
		b.parent[i], b.size[i] = i, 1
	}
	first := map[int]int{}
	for i := range items {
		if g := items[i].Group; g >= 0 {
			if k, ok := first[g]; ok {
				b.join(i, k, items[i].Offset-items[k].Offset)
			} else {
				first[g] = i
			}
		}
	}
	return b
}

// find gives the root of an item and its offset to it.
func (b *bodies) find(i int) (root int, rel int64) {
	for b.parent[i] != i {
		rel += b.rel[i]
		i = b.parent[i]
	}
	return i, rel
}

// join fixes offset(i) − offset(k). It reports whether that agrees with what is fixed already.
func (b *bodies) join(i, k int, difference uint64) bool {
	ri, oi := b.find(i)
	rk, ok := b.find(k)
	if ri == rk {
		return oi-ok == int64(difference)
	}
	b.parent[ri], b.rel[ri] = rk, ok+int64(difference)-oi
	b.size[rk] += b.size[ri]
	return true
}

// settle ends joining: place may be asked.
func (b *bodies) settle() {
	b.least = make([]int64, len(b.parent))
	for i := range b.parent {
		root, off := b.find(i)
		b.least[root] = min(b.least[root], off)
	}
}

// place gives the group of an item, 0 for one that is alone, and its offset in the group.
func (b *bodies) place(i int) (group int, rel uint64) {
	root, off := b.find(i)
	if b.size[root] < 2 {
		return 0, 0
	}
	return root + 1, uint64(off - b.least[root])
}

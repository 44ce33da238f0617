package executor

import (
	"fmt"
	"slices"
)

// Warnings says where the file's plan looks wrong without breaking a rule: a tensor whose bytes are used under another
// name, after a move or a view, while the plan gives them to something else. Exporters have made such plans; results are
// then wrong on every runtime.
func (l *Linked) Warnings() []string {
	t := l.lifetimes()
	if t.rough {
		return nil
	}
	var list []string
	for i := range l.planned {
		v := l.planned[i].value
		for _, x := range t.through[v] {
			for j := range l.planned {
				w := l.planned[j].value
				if w == v || l.touches[w].has(moved) || !l.touches[w].has(written) || !place(l.plan, v).overlaps(place(l.plan, w)) {
					continue
				}
				if at := t.first[w]; at > x.first && at < x.last && !l.isInput(w) && !t.shows(w, v) {
					list = append(list, fmt.Sprintf("%s: value %d is written over the bytes of value %d, which are in use under another name until %s",
						l.instructionPath(int(at)), w, v, l.instructionPath(int(x.last)-1)))
				}
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

package executor

import "github.com/ptero-rt/ptero/pte"

// alias is a place where the handle of one slot becomes that of another: a move, or a view.
type alias struct{ index, from, to int32 }

// throughMoves finds when storage is used under the name of another slot, which a move or a view gave it. It follows the
// jumps; in programs with so many moves that this would take too long, what was moved lives throughout.
func (l *Linked) throughMoves(t *lifetimes) {
	var list []alias
	l.eachInstruction(func(index int, in *pte.Instruction) {
		switch op := l.op(in); {
		case in.Op == pte.Move && l.values[in.From].tensor != nil && l.values[in.To].tensor != nil:
			list = append(list, alias{int32(index), in.From, in.To})
		case op != nil && op.Views && len(in.Args) > 1:
			list = append(list, alias{int32(index), in.Args[0], in.Args[len(in.Args)-1]})
		}
	})
	targets := map[int32][]int32{} // aliases by target
	for i, a := range list {
		targets[a.to] = append(targets[a.to], int32(i))
	}
	t.through, t.holds = map[int32][]interval{}, map[int32]map[int32]bool{}
	if len(list) > 1000 || (len(list)+len(targets))*len(l.code) > 8_000_000 {
		t.rough = true
		for _, a := range list {
			t.through[a.from] = []interval{{0, int32(len(l.code))}}
		}
		return
	}
	use := map[int32][]interval{} // by alias
	for to, at := range targets {
		live := l.handleLive(to, list, at)
		for _, i := range at {
			use[i] = l.reached(list[i].index, live)
		}
	}
	// Storage that reached the source of an alias by an earlier one goes on through it.
	holds := t.holds
	for again := true; again; {
		again = false
		for _, a := range list {
			if holds[a.to] == nil {
				holds[a.to] = map[int32]bool{}
			}
			if !holds[a.to][a.from] {
				holds[a.to][a.from], again = true, true
			}
			for v := range holds[a.from] {
				if !holds[a.to][v] && v != a.to {
					holds[a.to][v], again = true, true
				}
			}
		}
	}
	for i, a := range list {
		t.through[a.from] = append(t.through[a.from], use[int32(i)]...)
		for v := range holds[a.from] {
			t.through[v] = append(t.through[v], use[int32(i)]...)
		}
	}
}

// shows says whether slot w may show the storage of v.
func (t *lifetimes) shows(w, v int32) bool { return t.holds[w][v] }

// handleLive says, for every instruction, whether the handle in slot to is used there or later before it is replaced.
func (l *Linked) handleLive(to int32, list []alias, at []int32) []bool {
	n := len(l.code)
	uses, kills := make([]bool, n+1), make([]bool, n+1)
	for _, i := range at {
		kills[list[i].index] = true
	}
	slot := &l.values[to]
	for index := range l.code {
		in := &l.code[index]
		for k, v := range in.args {
			if v == slot && !(in.code == opMove && k == 1) && !(kills[index] && k == len(in.args)-1) {
				uses[index] = true
			}
			for _, item := range v.itemsOf() {
				uses[index] = uses[index] || item == slot
			}
		}
	}
	for _, v := range l.plan.Outputs {
		uses[n] = uses[n] || v == to
	}
	live := make([]bool, n+1)
	for again := true; again; {
		again = false
		for i := n; i >= 0; i-- {
			now := uses[i]
			if !now && !kills[i] && i < n {
				now = live[i+1] || l.code[i].code == opJumpFalse && live[l.code[i].target]
			}
			if now != live[i] {
				live[i], again = now, true
			}
		}
	}
	return live
}

// reached gives the instructions that control can reach after m while live holds, as intervals.
func (l *Linked) reached(m int32, live []bool) []interval {
	n := len(l.code)
	mark := make([]bool, n+1)
	stack := []int32{m + 1}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if mark[i] || !live[i] {
			continue
		}
		mark[i] = true
		if int(i) == n {
			continue
		}
		stack = append(stack, i+1)
		if l.code[i].code == opJumpFalse {
			stack = append(stack, l.code[i].target)
		}
	}
	mark[m] = true
	var list []interval
	for i := 0; i < n; i++ {
		if !mark[i] {
			continue
		}
		k := i
		for k < n && mark[k] {
			k++
		}
		list = append(list, interval{int32(i), int32(k)})
		i = k
	}
	if mark[n] && (len(list) == 0 || list[len(list)-1].last != int32(n)) {
		list = append(list, interval{int32(n - 1), int32(n)})
	}
	return list
}

// itemsOf gives the slots of a list.
func (v *Value) itemsOf() []*Value {
	if v.list == nil {
		return nil
	}
	return v.list.items
}

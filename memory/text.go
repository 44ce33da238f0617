package memory

import (
	"fmt"
	"strconv"
	"strings"
)

// Text writes the report for people: pools with their headroom, where each arena lies, who owns the bytes, what is wrong.
// Pools that nothing uses are left out where others are used.
func (r *Report) Text() string {
	var w strings.Builder
	verdict := "fits"
	if !r.Fits {
		verdict = "does not fit"
	}
	fmt.Fprintf(&w, "%s on %s: %s\n\n", or(r.File, "program"), r.Board, verdict)

	rows := [][]string{{"pool", "class", "capacity", "used", "headroom"}}
	for i := range r.Pools {
		p := &r.Pools[i]
		if p.Used > 0 {
			rows = append(rows, []string{p.Name, p.Class, Grouped(p.Capacity), Grouped(p.Used), signed(p.Headroom)})
		}
	}
	table(&w, "llrrr", rows)
	r.places(&w)
	r.owners(&w)
	if len(r.Violations) > 0 {
		w.WriteByte('\n')
		for i := range r.Violations {
			fmt.Fprintf(&w, "%s\n", r.Violations[i].Error.Error())
		}
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&w, "\nnote: %s\n", n)
	}
	return w.String()
}

// Places writes where each arena lies, with the headroom of its pool: what `run` prints.
func (r *Report) Places() string {
	var w strings.Builder
	r.places(&w)
	return strings.TrimPrefix(w.String(), "\n")
}

func (r *Report) places(w *strings.Builder) {
	if len(r.Arenas) == 0 {
		return
	}
	headroom := map[string]int64{}
	for i := range r.Pools {
		headroom[r.Pools[i].Name] = r.Pools[i].Headroom
	}
	several := false
	for _, a := range r.Arenas {
		several = several || a.Method != r.Arenas[0].Method
	}
	rows := [][]string{{"arena", "pool", "address", "bytes", "headroom"}}
	for _, a := range r.Arenas {
		name := a.What
		if a.MemID > 0 {
			name = fmt.Sprintf("%s %d", a.What, a.MemID)
		}
		if several {
			name = a.Method + " " + name
		}
		addr := "no room"
		if a.Addr != 0 {
			addr = fmt.Sprintf("0x%08x", a.Addr)
		}
		rows = append(rows, []string{name, a.Pool, addr, Grouped(a.Bytes), signed(headroom[a.Pool])})
	}
	w.WriteByte('\n')
	table(w, "lllrr", rows)
}

// owners writes the largest owners of each pool; the rest of a kind is summed up.
func (r *Report) owners(w *strings.Builder) {
	const most = 12
	for i := range r.Pools {
		p := &r.Pools[i]
		if p.Used == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s\n", p.Name)
		var rows [][]string
		shown := p.Owners
		if len(shown) > most+1 {
			shown = shown[:most]
		}
		for j := range shown {
			o := &shown[j]
			share := 100 * float64(o.Bytes) / float64(max(1, p.Used))
			rows = append(rows, []string{"  " + string(o.Kind), Grouped(o.Bytes), fmt.Sprintf("%.1f %%", share), o.name()})
		}
		if rest := p.Owners[len(shown):]; len(rest) > 0 {
			rows = append(rows, []string{"  other", Grouped(total(rest)), "", fmt.Sprintf("%d smaller ones", len(rest))})
		}
		table(w, "lrrl", rows)
	}
}

// table writes rows in columns; align has l or r for each.
func table(w *strings.Builder, align string, rows [][]string) {
	width := make([]int, len(align))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], len([]rune(cell)))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", width[i]-len([]rune(cell)))
			if i > 0 {
				line.WriteString("  ")
			}
			if align[i] == 'r' {
				line.WriteString(pad + cell)
			} else {
				line.WriteString(cell + pad)
			}
		}
		w.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

// Grouped writes a number of bytes with a comma between groups of three digits.
func Grouped(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func signed(n int64) string {
	if n < 0 {
		return "-" + Grouped(uint64(-n))
	}
	return Grouped(uint64(n))
}

func or(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

package draw

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"slices"

	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/memory"
)

// Measures of a picture, in units of its view box.
const (
	width  = 380
	left   = 66 // room for addresses
	right  = 8
	plot   = width - left - right
	tall   = 240 // height of the planned bytes of the fullest chart
	flat   = 16  // height of what has no time
	gap    = 5   // between bytes that do not adjoin
	liveUp = 34  // height of the curve of live bytes
)

// poolMap is one pool of a layout, ready to draw.
type poolMap struct {
	name           string
	class          string
	base           uint64
	capacity, used uint64
	headroom       int64
	bands          []memory.Band
	boxes          []memory.Box
	length         int
}

// maps gives the pools of a layout in which something lies, in the board's order.
func maps(l *memory.Layout) []*poolMap {
	bands, boxes, length := l.Boxes()
	r := l.Report("")
	var list []*poolMap
	for i, p := range r.Pools {
		m := &poolMap{name: p.Name, class: p.Class, base: l.PoolBase(i), capacity: p.Capacity, used: p.Used, headroom: p.Headroom, length: length}
		for _, b := range bands {
			if int(b.Pool) == i {
				m.bands = append(m.bands, b)
			}
		}
		for _, b := range boxes {
			if b.Pool == hal.PoolID(i) {
				m.boxes = append(m.boxes, b)
			}
		}
		if len(m.bands) > 0 || p.Used > 0 {
			list = append(list, m)
		}
	}
	return list
}

func (p *poolMap) heading() string {
	s := fmt.Sprintf("%s (%s): %s of %s B used, %s B headroom", p.name, p.class, memory.Grouped(p.used), memory.Grouped(p.capacity), memory.Grouped(uint64(max(p.headroom, 0))))
	if p.headroom < 0 {
		s = fmt.Sprintf("%s (%s): %s B wanted of %s, %s B short", p.name, p.class, memory.Grouped(p.used), memory.Grouped(p.capacity), memory.Grouped(uint64(-p.headroom)))
	}
	return s
}

// row is a run of bytes that is drawn in one piece: bands that adjoin or overlap.
type row struct {
	from, to uint64
	flat     bool
	small    bool
	blocks   int
	bytes    uint64
	top, h   float64
	label    string
	kind     memory.Kind
}

// rows merges bands, in order of address: what adjoins, and small neighbours that have no time where there are many.
func (p *poolMap) rows() (list []row) {
	small := p.smallBand()
	for _, b := range p.bands {
		next := row{from: b.Offset, to: b.Offset + b.Bytes, flat: !b.Planned, label: b.Label, kind: b.Kind, bytes: b.Bytes, blocks: 1, small: !b.Planned && b.Bytes < small}
		if n := len(list) - 1; n >= 0 {
			last := &list[n]
			if b.Planned && !last.flat && next.from <= last.to+64 {
				last.to = max(last.to, next.to)
				continue
			}
			if next.small && last.small && next.kind == last.kind {
				last.to, last.blocks, last.bytes = next.to, last.blocks+1, last.bytes+next.bytes
				last.label = fmt.Sprintf("%d blocks of %s", last.blocks, last.kind)
				continue
			}
		}
		list = append(list, next)
	}
	return list
}

// smallBand is the size below which blocks that have no time are drawn together: 0 where there are few.
func (p *poolMap) smallBand() uint64 {
	var sizes []uint64
	for _, b := range p.bands {
		if !b.Planned {
			sizes = append(sizes, b.Bytes)
		}
	}
	if len(sizes) <= 6 {
		return 0
	}
	slices.Sort(sizes)
	return sizes[len(sizes)-3]
}

// planned is the number of bytes that are drawn to scale.
func (p *poolMap) planned() (n uint64) {
	for _, r := range p.rows() {
		if !r.flat {
			n += r.to - r.from
		}
	}
	return n
}

// svg draws the pool and gives the height. scale is the number of bytes that are as high as pictures get.
func (p *poolMap) svg(scale uint64) (string, float64) {
	var w bytes.Buffer
	rows := p.rows()
	bottom := float64(liveUp + 8)
	for i := len(rows) - 1; i >= 0; i-- { // from the highest address down
		r := &rows[i]
		r.top, r.h = bottom, flat
		if !r.flat {
			r.h = max(14, tall*float64(r.to-r.from)/float64(max(1, scale)))
		}
		bottom += r.h
		if i > 0 && rows[i-1].to != r.from {
			bottom += gap
		}
	}
	p.curve(&w)
	for i := range rows {
		p.row(&w, &rows[i])
	}
	p.axis(&w, bottom)
	return w.String(), bottom + 18
}

func (p *poolMap) x(t int) float64 { return left + plot*float64(t)/float64(max(1, p.length)) }

func (p *poolMap) row(w *bytes.Buffer, r *row) {
	fmt.Fprintf(w, `<rect x="%d" y="%.1f" width="%d" height="%.1f" class="band"/>`, left, r.top, plot, r.h)
	fmt.Fprintf(w, `<text x="%d" y="%.1f" class="axis" text-anchor="end">%#x</text>`, left-3, r.top+r.h-1, p.base+r.from)
	if r.flat {
		text := fmt.Sprintf("%s, %s B", r.label, memory.Grouped(r.bytes))
		fmt.Fprintf(w, `<rect x="%d" y="%.1f" width="%d" height="%.1f" class="box k-%s"><title>%s</title></rect><text x="%d" y="%.1f" class="name">%s</text>`,
			left, r.top, plot, r.h, r.kind, html.EscapeString(text), left+4, r.top+r.h-5, html.EscapeString(shorten(text, 58)))
		return
	}
	if r.h > 26 {
		fmt.Fprintf(w, `<text x="%d" y="%.1f" class="axis" text-anchor="end">%#x</text>`, left-3, r.top+8, p.base+r.to)
	}
	for _, b := range p.boxes {
		if b.Offset < r.from || b.Offset+b.Bytes > r.to {
			continue
		}
		x, wide := p.x(b.First), max(1, p.x(b.Last)-p.x(b.First))
		unit := r.h / float64(r.to-r.from)
		high := max(0.8, float64(b.Bytes)*unit)
		y := r.top + r.h - float64(b.Offset-r.from)*unit - high
		fmt.Fprintf(w, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" class="box k-%s"><title>%s</title></rect>`, x, y, wide, high, b.Kind, html.EscapeString(p.describe(&b)))
		p.label(w, b.Label, x, y, wide, high)
	}
	for _, b := range p.bands {
		if b.Planned && b.Offset >= r.from && b.Offset+b.Bytes <= r.to {
			unit := r.h / float64(r.to-r.from)
			y := r.top + r.h - float64(b.Offset-r.from)*unit
			fmt.Fprintf(w, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" class="grid"/>`, left, width-right, y, y)
			if high := float64(b.Bytes) * unit; high >= 24 {
				fmt.Fprintf(w, `<text x="2" y="%.1f" class="axis">%s</text>`, y-high/2+3, html.EscapeString(shorten(b.Label, 14)))
			}
		}
	}
}

// label writes a buffer's name into its rectangle, upright where that is the longer side, if enough of it fits.
func (p *poolMap) label(w *bytes.Buffer, name string, x, y, wide, high float64) {
	const letter, line = 5.7, 9
	least := min(5, len([]rune(name)))
	if n := int(wide / letter); n >= least && high >= line && (wide >= high || n >= len([]rune(name))) {
		fmt.Fprintf(w, `<text x="%.1f" y="%.1f" class="name">%s</text>`, x+2, y+min(high-2, high/2+3), html.EscapeString(shorten(name, n)))
	} else if n := int(high / letter); n >= least && wide >= line {
		at, bottom := x+wide/2+3, y+high-2
		fmt.Fprintf(w, `<text x="%.1f" y="%.1f" class="name" transform="rotate(-90 %.1f %.1f)">%s</text>`, at, bottom, at, bottom, html.EscapeString(shorten(name, n)))
	}
}

func (p *poolMap) describe(b *memory.Box) string {
	return fmt.Sprintf("%s: %s, %s B at %#x, live in [%d, %d)", b.Kind, b.Label, memory.Grouped(b.Bytes), p.base+b.Offset, b.First, b.Last)
}

// moments gives the bytes that are live at each instruction, what has no time left out, and the fullest instruction.
func (p *poolMap) moments() (live []uint64, fullest int) {
	live = make([]uint64, max(1, p.length))
	flat := map[uint64]bool{}
	for _, b := range p.bands {
		if !b.Planned {
			flat[b.Offset] = true
		}
	}
	boxes := slices.Clone(p.boxes)
	slices.SortFunc(boxes, func(a, b memory.Box) int { return cmp.Compare(a.Offset, b.Offset) })
	end := make([]uint64, len(live))
	for _, b := range boxes {
		if flat[b.Offset] {
			continue
		}
		for t := max(0, b.First); t < min(b.Last, len(live)); t++ {
			if to := b.Offset + b.Bytes; to > end[t] {
				live[t] += to - max(end[t], b.Offset)
				end[t] = to
			}
		}
	}
	for t := range live {
		if live[t] > live[fullest] {
			fullest = t
		}
	}
	return live, fullest
}

// curve draws live bytes over time above the map, and marks the fullest moment.
func (p *poolMap) curve(w *bytes.Buffer) {
	live, at := p.moments()
	most := live[at]
	if most == 0 {
		return
	}
	fmt.Fprintf(w, `<path class="live" d="M%d %d`, left, liveUp)
	for t, n := range live {
		y := liveUp - (liveUp-12)*float64(n)/float64(most)
		fmt.Fprintf(w, "L%.1f %.1fL%.1f %.1f", p.x(t), y, p.x(t+1), y)
	}
	fmt.Fprintf(w, `L%d %dZ"/>`, width-right, liveUp)
	fmt.Fprintf(w, `<text x="%d" y="%d" class="axis" text-anchor="end">live</text>`, left-3, liveUp)
}

func (p *poolMap) axis(w *bytes.Buffer, bottom float64) {
	if live, at := p.moments(); live[at] > 0 {
		x := (p.x(at) + p.x(at+1)) / 2
		fmt.Fprintf(w, `<line x1="%.1f" x2="%.1f" y1="10" y2="%.1f" class="peak"/>`, x, x, bottom)
		anchor := "start"
		if x > width/2 {
			anchor = "end"
		}
		fmt.Fprintf(w, `<text x="%.1f" y="9" class="peaktext" text-anchor="%s">peak %s B at [%d]</text>`, x, anchor, memory.Grouped(live[at]), at)
	}
	step := max(1, (p.length+3)/4)
	for t := 0; t <= p.length; t += step {
		anchor := "middle"
		if p.x(t) > width-20 {
			anchor = "end"
		}
		fmt.Fprintf(w, `<line x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f" class="grid"/><text x="%.1f" y="%.1f" class="axis" text-anchor="%s">%d</text>`, p.x(t), p.x(t), bottom, bottom+3, p.x(t), bottom+12, anchor, t)
	}
}

// table lists what the picture shows, the largest first.
func (p *poolMap) table(w *bytes.Buffer) {
	boxes := slices.Clone(p.boxes)
	slices.SortStableFunc(boxes, func(a, b memory.Box) int { return cmp.Compare(b.Bytes, a.Bytes) })
	fmt.Fprintf(w, "<details><summary>%d buffers</summary>\n<table><tr><th>buffer</th><th class=\"n\">bytes</th><th class=\"n\">address</th><th class=\"n\">live</th></tr>\n", len(boxes))
	for i := range boxes {
		b := &boxes[i]
		fmt.Fprintf(w, "<tr><td><i class=\"k-%s\"></i>%s</td><td class=\"n\">%s</td><td class=\"n\">%#x</td><td class=\"n\">%d–%d</td></tr>\n", b.Kind, html.EscapeString(b.Label), memory.Grouped(b.Bytes), p.base+b.Offset, b.First, b.Last)
	}
	w.WriteString("</table></details>\n")
}

// Package draw makes pictures of a memory.Layout: for every pool, time from left to right in instructions, addresses from
// bottom to top, and each buffer as a rectangle where and while it lives.
//
//	        ┌───────┐            fullest moment
//	arena 1 │   a   │ ┌──────┐ ┆
//	        ├─────┬─┘ │  c   │ ┆
//	        │  b  │   └──────┘ ┆
//	        └─────┴───────────────▶ instructions
//
// The results stand alone: no script, no font, nothing from a network. They are laid out for the width of a phone and
// grow with the window.
package draw

import (
	"bytes"
	"fmt"
	"html"
	"strings"

	"github.com/ptero-rt/ptero/memory"
)

// Chart is one layout to draw, with a title such as a file's name, or "before" and "after".
type Chart struct {
	Title  string
	Layout *memory.Layout
}

// SVG draws charts below each other as one SVG document.
func SVG(charts ...Chart) []byte {
	var body bytes.Buffer
	y := 8.0
	scale := commonScale(charts)
	for _, c := range charts {
		if c.Title != "" {
			fmt.Fprintf(&body, `<text x="8" y="%.0f" class="title">%s</text>`+"\n", y+14, html.EscapeString(c.Title))
			y += 24
		}
		for _, p := range maps(c.Layout) {
			fmt.Fprintf(&body, `<text x="8" y="%.0f" class="head">%s</text>`+"\n", y+12, html.EscapeString(p.heading()))
			y += 20
			text, h := p.svg(scale[p.name])
			fmt.Fprintf(&body, `<g transform="translate(0 %.1f)">%s</g>`+"\n", y, text)
			y += h + 12
		}
	}
	var w bytes.Buffer
	fmt.Fprintf(&w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %.0f" width="%d" height="%.0f" role="img">`+"\n<style>%s</style>\n", width, y, 2*width, 2*y, svgStyle)
	fmt.Fprintf(&w, `<rect width="%d" height="%.0f" class="paper"/>`+"\n", width, y)
	w.Write(body.Bytes())
	w.WriteString("</svg>\n")
	return w.Bytes()
}

// HTML draws charts as a page of their own: a picture for every pool, with a table of what it shows, the largest first.
func HTML(title string, charts ...Chart) []byte {
	var w bytes.Buffer
	fmt.Fprintf(&w, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>%s</title>\n<style>%s%s</style></head><body>\n<h1>%s</h1>\n",
		html.EscapeString(title), svgStyle, pageStyle, html.EscapeString(title))
	legend(&w)
	scale := commonScale(charts)
	for _, c := range charts {
		r := c.Layout.Report(c.Title)
		w.WriteString("<section>\n")
		if c.Title != "" && (len(charts) > 1 || c.Title != title) {
			fmt.Fprintf(&w, "<h2>%s</h2>\n", html.EscapeString(c.Title))
		}
		verdict, class := "fits on board "+r.Board, "fits"
		if !r.Fits {
			verdict, class = "does not fit on board "+r.Board, "short"
		}
		fmt.Fprintf(&w, "<p class=\"%s\">%s</p>\n", class, html.EscapeString(verdict))
		for i := range r.Violations {
			fmt.Fprintf(&w, "<p class=\"violation\">%s</p>\n", html.EscapeString(r.Violations[i].Error.Error()))
		}
		for _, p := range maps(c.Layout) {
			fmt.Fprintf(&w, "<h3>%s</h3>\n", html.EscapeString(p.heading()))
			text, h := p.svg(scale[p.name])
			fmt.Fprintf(&w, `<svg viewBox="0 0 %d %.0f" role="img" aria-label="%s">%s</svg>`+"\n", width, h, html.EscapeString(p.name), text)
			p.table(&w)
		}
		w.WriteString("</section>\n")
	}
	w.WriteString("</body></html>\n")
	return w.Bytes()
}

// commonScale is the bytes that fill a picture's height, by pool, the same in all charts so that they can be compared.
func commonScale(charts []Chart) map[string]uint64 {
	most := map[string]uint64{}
	for _, c := range charts {
		for _, p := range maps(c.Layout) {
			most[p.name] = max(most[p.name], p.planned())
		}
	}
	return most
}

var kinds = []memory.Kind{memory.IO, memory.Activations, memory.Scratch, memory.TempArena, memory.Persistent, memory.Constants, memory.Program, memory.Control, memory.Driver}

func legend(w *bytes.Buffer) {
	w.WriteString("<p class=\"legend\">")
	for _, k := range kinds {
		fmt.Fprintf(w, "<span><i class=\"k-%s\"></i>%s</span> ", k, k)
	}
	w.WriteString("</p>\n")
}

// shorten cuts a label to n characters, keeping its end, where names differ.
func shorten(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	if n < 3 {
		return ""
	}
	return "…" + string(r[len(r)-n+1:])
}

var svgStyle = strings.Join([]string{
	"text{font:10px system-ui,sans-serif;fill:#1b1f24}",
	".title{font-size:14px;font-weight:600}.head{font-size:11px;font-weight:600}.axis{font-size:9px;fill:#57606a}.name{font-size:9px;pointer-events:none}",
	".paper{fill:#fff}.band{fill:#f3f4f6;stroke:#8c959f;stroke-width:.6}.box{stroke:#24292f;stroke-width:.4}.grid{stroke:#d0d7de;stroke-width:.5}.peak{stroke:#cf222e;stroke-width:1;stroke-dasharray:3 2}.peaktext{fill:#cf222e;font-size:9px}.live{fill:#8c959f;fill-opacity:.5}",
	".k-io{fill:#a5d6ff;background:#a5d6ff}.k-activations{fill:#b4f1b4;background:#b4f1b4}.k-scratch{fill:#ffd8a8;background:#ffd8a8}.k-temp{fill:#ffe8a3;background:#ffe8a3}.k-persistent{fill:#e2c5ff;background:#e2c5ff}",
	".k-constants{fill:#d0d7de;background:#d0d7de}.k-program{fill:#c4ccd4;background:#c4ccd4}.k-control{fill:#ffc9de;background:#ffc9de}.k-driver{fill:#f7b5b0;background:#f7b5b0}",
}, "\n")

const pageStyle = `
body{font:15px/1.45 system-ui,sans-serif;margin:0 auto;padding:12px;max-width:860px;color:#1b1f24;background:#fff;overflow-wrap:anywhere}
h1{font-size:20px;margin:4px 0 8px}h2{font-size:17px;margin:24px 0 4px}h3{font-size:15px;margin:18px 0 4px}
svg{display:block;width:100%;height:auto}
.fits{color:#1a7f37}.short,.violation{color:#cf222e}
.legend span{display:inline-block;margin-right:10px;font-size:13px}.legend i,td i{display:inline-block;width:11px;height:11px;margin-right:4px;border:1px solid #57606a;border-radius:2px}
table{border-collapse:collapse;width:100%;font-size:13px}td,th{padding:2px 4px;border-bottom:1px solid #d0d7de;text-align:left;vertical-align:top}
td.n,th.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
summary{cursor:pointer;font-size:13px;color:#57606a;padding:4px 0}
`

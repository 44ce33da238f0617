package draw_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/hal/board"
	"github.com/ptero-rt/ptero/hal/sim"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/memory/draw"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files again")

func layout(t testing.TB, boardName string, ds ...memory.Demand) *memory.Layout {
	p, err := board.Load(boardName)
	require.NoError(t, err)
	b, err := sim.Open(p.Spec, sim.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { _ = b.Close() })
	l, _ := memory.NewSpace(b).Fit(ds...)
	return l
}

// program is a chain of convolutions around a delegate, with state, a file and kernel temporaries.
func program(scratch uint64) memory.Demand {
	d := memory.Demand{
		Method: "forward",
		Arenas: []memory.Arena{{MemID: 1, Bytes: 120_000, Align: 16}, {MemID: 3, Bytes: 40_000}},
		Fixed:  []memory.Fixed{{Kind: memory.Program, Label: "a <b> & c.pte", Bytes: 3_000_000}},
		Calls: []memory.Call{
			{Instruction: 2, Label: "aten::convolution.out", Needs: []memory.Need{{Role: "im2col", Bytes: 30_000}}},
			{Instruction: 5, Label: "EthosUBackend", Needs: []memory.Need{{Role: "scratch", Bytes: scratch, Device: "ethos-u", Class: hal.AnyClass}}},
		},
		Spans: []memory.Buffer{
			{Label: "input", Kind: memory.IO, MemID: 1, Bytes: 50_000, Last: 2},
			{Label: "aten_convolution_default_1", Kind: memory.Activations, MemID: 1, Offset: 50_000, Bytes: 70_000, First: 1, Last: 4},
			{Label: "relu", Kind: memory.Activations, MemID: 1, Offset: 0, Bytes: 40_000, First: 3, Last: 6},
			{Label: "b_cache", Kind: memory.Persistent, MemID: 3, Offset: 0, Bytes: 8_000, Last: 9},
			{Label: "EthosUBackend fast scratch", Kind: memory.Scratch, MemID: 3, Offset: 8_000, Bytes: 32_000, First: 5, Last: 6},
			{Label: "output", Kind: memory.IO, MemID: 1, Offset: 60_000, Bytes: 4_000, First: 5, Last: 9},
		},
	}
	return d
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *rewrite {
		require.NoError(t, os.MkdirAll("testdata", 0o777))
		require.NoError(t, os.WriteFile(path, got, 0o666))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

// wellFormed says whether text is XML, as SVG must be.
func wellFormed(t *testing.T, text []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(text))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
	}
}

func TestPictures(t *testing.T) {
	l := layout(t, "corstone-300", program(200_000))
	require.True(t, l.Fits())
	svg := draw.SVG(draw.Chart{Title: "a.pte", Layout: l})
	wellFormed(t, svg)
	golden(t, "a.svg", svg)
	page := draw.HTML("a.pte", draw.Chart{Title: "a.pte", Layout: l})
	golden(t, "a.html", page)
	for _, text := range []string{"input", "aten_convolution_default_1", "b_cache", "EthosUBackend scratch", "aten::convolution.out im2col", "a &lt;b&gt; &amp; c.pte", "peak 240,000 B at [5]", "arena 1"} {
		require.Contains(t, string(page), text)
		if text != "aten::convolution.out im2col" {
			require.Contains(t, string(svg), text)
		}
	}
	require.NotContains(t, string(page), "<b>")
}

// A page needs nothing from outside.
func TestSelfContained(t *testing.T) {
	l := layout(t, "corstone-300", program(200_000))
	outside := regexp.MustCompile(`(?i)(src|href)=|url\(|@import|<script`)
	for _, text := range [][]byte{draw.HTML("x", draw.Chart{Layout: l}), draw.SVG(draw.Chart{Layout: l})} {
		require.Empty(t, outside.FindAll(text, -1))
	}
}

// Before and after are drawn to one scale, and a layout that does not fit is drawn with its reasons.
func TestBeforeAndAfter(t *testing.T) {
	before, after := layout(t, "corstone-300", program(5_000_000)), layout(t, "corstone-300", program(100_000))
	page := string(draw.HTML("plan", draw.Chart{Title: "before", Layout: before}, draw.Chart{Title: "after", Layout: after}))
	require.Contains(t, page, "does not fit on board corstone-300")
	require.Contains(t, page, "pool_capacity")
	require.Contains(t, page, "<h2>before</h2>")
	require.Contains(t, page, "<h2>after</h2>")
	require.Contains(t, page, "B short")
	a, b := program(100_000), program(100_000)
	a.Strategy, b.Strategy = memory.Shared, memory.Shared
	several := string(draw.SVG(draw.Chart{Layout: layout(t, "host", a, b)}))
	wellFormed(t, []byte(several))
	require.Contains(t, several, "aten_convolution_default_1")
	empty := draw.SVG(draw.Chart{Layout: layout(t, "host")})
	wellFormed(t, empty)
}

// In a browser of a phone's width nothing needs to be scrolled sideways.
func TestPhoneWidth(t *testing.T) {
	var browser string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "headless_shell", "chrome-headless-shell"} {
		if p, err := exec.LookPath(name); err == nil {
			browser = p
			break
		}
	}
	if browser == "" {
		t.Skip("no Chromium on this machine: the page was not looked at")
	}
	l := layout(t, "corstone-300", program(200_000))
	page := string(draw.HTML("a rather long title of a model file.pte", draw.Chart{Title: "mobilenet.pte", Layout: l}))
	page = strings.Replace(page, "<details>", "<details open>", -1)
	frame := `<!DOCTYPE html><html><body><iframe id=f style="width:360px;height:800px;border:0"></iframe><pre id=o></pre><script>
	const f=document.getElementById("f");f.onload=()=>{const d=f.contentDocument;document.getElementById("o").textContent="fits="+(d.documentElement.scrollWidth<=d.documentElement.clientWidth)+" pictures="+[...d.querySelectorAll("svg")].map(s=>Math.round(s.getBoundingClientRect().height)).join(",")};
	f.srcdoc=` + "`" + strings.ReplaceAll(page, "`", "") + "`" + `</script></body></html>`
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "f.html"), []byte(frame), 0o666))
	out, err := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+dir, "--virtual-time-budget=3000", "--dump-dom", "file://"+filepath.Join(dir, "f.html")).Output()
	require.NoError(t, err)
	require.Regexp(t, `fits=true pictures=[1-9]\d+,[1-9]\d+`, string(out))
}

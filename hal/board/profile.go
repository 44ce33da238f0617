package board

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/internal/fault"
)

//go:embed boards/*.json
var files embed.FS

// Profile is a board as a file describes it.
type Profile struct {
	hal.Spec
	About   string
	Core    string            // CPU core
	Source  string            // of the conventions
	Sources map[string]string // of a pool or device, by name
}

// Names gives the boards that are built in, in order; "host" is first.
func Names() []string {
	names := []string{"host"}
	entries, _ := files.ReadDir("boards")
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".json"))
	}
	return names
}

// Load gives a built-in board by name, or reads a profile from a file, which is what a name with a slash or with the
// ending .json stands for.
func Load(nameOrFile string) (*Profile, error) {
	if nameOrFile == "host" {
		return &Profile{Spec: hal.Host(), About: "this machine: one coherent pool that every simulated device sees"}, nil
	}
	if strings.ContainsAny(nameOrFile, `/\`) || filepath.Ext(nameOrFile) == ".json" {
		text, err := os.ReadFile(nameOrFile)
		if err != nil {
			return nil, fault.Under(nameOrFile, err)
		}
		p, err := Parse(text)
		if err != nil {
			return nil, fault.Under(nameOrFile, err)
		}
		return p, nil
	}
	text, err := files.ReadFile("boards/" + nameOrFile + ".json")
	if err != nil {
		return nil, fault.New(fault.InvalidArgument, "board", "one of "+strings.Join(Names(), ", ")+", or a .json file", fmt.Sprintf("%q", nameOrFile))
	}
	return Parse(text)
}

// Parse reads a profile. The error joins everything that is wrong with it.
func Parse(text []byte) (*Profile, error) {
	root, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	r := &reader{}
	p := &Profile{Sources: map[string]string{}}
	r.profile(root, p)
	if len(r.problems) > 0 {
		return nil, errors.Join(r.problems...)
	}
	return p, nil
}

// reader turns JSON values into a profile and collects what is wrong.
type reader struct {
	problems []error
	line     uint32 // of the CPU
}

func (r *reader) bad(path, want, found string) {
	r.problems = append(r.problems, fault.New(fault.InvalidArgument, path, want, found))
}

func (r *reader) profile(n *node, p *Profile) {
	o := r.object(n, "")
	p.Name = o.text("name", required)
	p.About = o.text("about", optional)
	p.Source = o.text("source", optional)
	if c := o.get("cpu", optional); c != nil {
		cpu := r.object(c, "cpu")
		p.Core = cpu.text("core", optional)
		r.line = uint32(cpu.size("line", optional))
		r.power2("cpu.line", uint64(r.line))
		cpu.done()
	}
	r.devices(o, p)
	r.pools(o, p)
	r.placement(o, p)
	o.done()
}

func (r *reader) devices(o *object, p *Profile) {
	for i, n := range o.list("devices", optional) {
		path := fmt.Sprintf("devices[%d]", i)
		d := r.object(n, path)
		dev := hal.Device{Name: d.text("name", required), Kind: d.text("kind", optional), ClockHz: d.size("clock_hz", optional), SystemConfig: d.text("system_config", optional)}
		if slices.ContainsFunc(p.Devices, func(x hal.Device) bool { return x.Name == dev.Name }) {
			r.bad(path+".name", "a name of its own", fmt.Sprintf("%q twice", dev.Name))
		}
		p.Sources[dev.Name] = d.text("source", optional)
		p.Devices = append(p.Devices, dev)
		d.done()
	}
}

var classes = map[string]hal.Class{"tcm": hal.TCM, "sram": hal.SRAM, "dram": hal.DRAM, "flash": hal.Flash}

func (r *reader) pools(o *object, p *Profile) {
	for i, n := range o.list("regions", required) {
		path := fmt.Sprintf("regions[%d]", i)
		g := r.object(n, path)
		pool := hal.Pool{Name: g.text("name", required), Base: g.size("base", required), Size: g.size("size", required), Align: 4096, Line: r.line}
		if g.has("align") {
			pool.Align = uint32(g.size("align", optional))
			r.power2(path+".align", uint64(pool.Align))
		}
		if g.has("line") {
			pool.Line = uint32(g.size("line", optional))
			r.power2(path+".line", uint64(pool.Line))
		}
		class := g.text("class", required)
		if c, ok := classes[class]; ok {
			pool.Class = c
		} else if g.has("class") {
			r.bad(path+".class", "tcm, sram, dram or flash", fmt.Sprintf("%q", class))
		}
		r.attributes(g, path, &pool)
		r.views(g, path, &pool, p)
		r.perf(g, path, &pool, p)
		r.reserved(g, path, &pool)
		r.bounds(path, &pool, p.Pools)
		p.Sources[pool.Name] = g.text("source", optional)
		p.Pools = append(p.Pools, pool)
		g.done()
	}
	if n := o.get("regions", optional); n != nil && n.kind == array && len(n.items) == 0 {
		r.bad("regions", "at least one region", "none")
	}
	if len(p.Pools) > 255 {
		r.bad("regions", "at most 255 regions", fmt.Sprint(len(p.Pools)))
	}
}

func (r *reader) attributes(g *object, path string, pool *hal.Pool) {
	pool.Attr = hal.CPURead
	write := pool.Class != hal.Flash
	if n := g.get("cpu", optional); n != nil {
		c := r.object(n, path+".cpu")
		if c.flag("cacheable") {
			pool.Attr |= hal.CPUCached
		}
		if c.has("write") {
			write = c.flag("write")
		}
		c.done()
	}
	if write {
		pool.Attr |= hal.CPUWrite
	}
	if g.flag("coherent") {
		pool.Attr |= hal.Coherent
	}
	if g.flag("retained") {
		pool.Attr |= hal.Retained
	}
	if !pool.Attr.Has(hal.CPUCached) && !g.has("line") {
		pool.Line = 0
	}
}

func (r *reader) views(g *object, path string, pool *hal.Pool, p *Profile) {
	for i, n := range g.list("visible", optional) {
		at := fmt.Sprintf("%s.visible[%d]", path, i)
		v := r.object(n, at)
		view := hal.View{Device: v.text("dev", required), Base: pool.Base, Limit: pool.Size}
		if v.has("base") {
			view.Base = v.size("base", optional)
		}
		if v.has("limit") {
			view.Limit = min(pool.Size, v.size("limit", optional))
		}
		if view.Device != "" && !slices.ContainsFunc(p.Devices, func(d hal.Device) bool { return d.Name == view.Device }) {
			r.bad(at+".dev", "a device of this board", fmt.Sprintf("%q", view.Device))
		}
		if slices.ContainsFunc(pool.Views, func(x hal.View) bool { return x.Device == view.Device }) {
			r.bad(at+".dev", "one view a device", fmt.Sprintf("%q twice", view.Device))
		}
		pool.Views = append(pool.Views, view)
		v.done()
	}
}

// perf reads figures; latencies are cycles of the first device that sees the pool, or of the first of the board.
func (r *reader) perf(g *object, path string, pool *hal.Pool, p *Profile) {
	n := g.get("perf", optional)
	if n == nil {
		return
	}
	o := r.object(n, path+".perf")
	hz := 0.0
	for _, d := range p.Devices {
		if len(pool.Views) == 0 || d.Name == pool.Views[0].Device {
			hz = float64(d.ClockHz)
			break
		}
	}
	nanos := func(key string) float64 {
		cycles := o.number(key)
		if cycles != 0 && hz == 0 {
			r.bad(path+".perf."+key, "a device with clock_hz to count cycles of", "none")
			return 0
		}
		if cycles == 0 {
			return 0
		}
		return cycles / hz * 1e9
	}
	f := hal.Perf{ReadBytesPerSecond: o.number("bw"), ReadLatencyNs: nanos("rlat"), WriteLatencyNs: nanos("wlat"),
		BurstBytes: uint32(o.size("burst", optional)), Outstanding: uint32(o.size("outstanding", optional)),
		ReadPicojoulePerByte: o.number("read_pj"), WritePicojoulePerByte: o.number("write_pj")}
	f.WriteBytesPerSecond = f.ReadBytesPerSecond
	if o.has("write_bw") {
		f.WriteBytesPerSecond = o.number("write_bw")
	}
	if !o.has("wlat") {
		f.WriteLatencyNs = f.ReadLatencyNs
	}
	pool.Perf = f
	o.done()
}

func (r *reader) reserved(g *object, path string, pool *hal.Pool) {
	for i, n := range g.list("reserve", optional) {
		at := fmt.Sprintf("%s.reserve[%d]", path, i)
		o := r.object(n, at)
		s := hal.Span{Offset: o.size("off", required), Size: o.size("size", required), Why: o.text("why", optional)}
		if s.Size == 0 && o.has("size") {
			r.bad(at+".size", "at least 1 B", "0")
		}
		if s.Offset > pool.Size || s.Size > pool.Size-s.Offset {
			r.bad(at, fmt.Sprintf("bytes inside the %d B of %s", pool.Size, pool.Name), fmt.Sprintf("%d B from %d", s.Size, s.Offset))
		}
		for _, x := range pool.Reserved {
			if s.Offset < x.Offset+x.Size && x.Offset < s.Offset+s.Size {
				r.bad(at, "no overlap with another reservation", fmt.Sprintf("%d B from %d over %d B from %d", s.Size, s.Offset, x.Size, x.Offset))
			}
		}
		pool.Reserved = append(pool.Reserved, s)
		o.done()
	}
}

func (r *reader) bounds(path string, pool *hal.Pool, others []hal.Pool) {
	if pool.Size == 0 {
		r.bad(path+".size", "at least 1 B", "0 or missing")
	}
	if pool.Base+pool.Size < pool.Base {
		r.bad(path+".size", "a region that ends within 64 bits of address", fmt.Sprintf("%#x + %#x", pool.Base, pool.Size))
	}
	if pool.Align > 0 && pool.Base%uint64(pool.Align) != 0 {
		r.bad(path+".base", fmt.Sprintf("a multiple of align, %d", pool.Align), fmt.Sprintf("%#x", pool.Base))
	}
	for _, x := range others {
		if x.Name == pool.Name {
			r.bad(path+".name", "a name of its own", fmt.Sprintf("%q twice", pool.Name))
		}
		if pool.Base < x.Base+x.Size && x.Base < pool.Base+pool.Size {
			r.bad(path, "no overlap with "+x.Name, fmt.Sprintf("%#x…%#x over %#x…%#x", pool.Base, pool.Base+pool.Size-1, x.Base, x.Base+x.Size-1))
		}
	}
}

func (r *reader) placement(o *object, p *Profile) {
	l := hal.Placement{Arenas: map[uint32]hal.PoolID{}, Default: hal.NoPool, Temp: hal.NoPool, Fast: hal.NoPool, Constants: hal.NoPool}
	pool := func(path, name string) hal.PoolID {
		for i := range p.Pools {
			if p.Pools[i].Name == name {
				return hal.PoolID(i)
			}
		}
		var names []string
		for _, x := range p.Pools {
			names = append(names, x.Name)
		}
		r.bad(path, "a region of this board: "+strings.Join(names, ", "), fmt.Sprintf("%q", name))
		return hal.NoPool
	}
	named := func(key string, need bool) hal.PoolID {
		if name := o.text(key, need); o.has(key) {
			return pool(key, name)
		}
		return hal.NoPool
	}
	if n := o.get("arenas", required); n != nil {
		a := r.object(n, "arenas")
		for _, key := range a.keys() {
			path := "arenas." + key
			var id uint32
			if _, err := fmt.Sscanf(key, "%d", &id); err != nil || id == 0 || fmt.Sprint(id) != key {
				r.bad(path, "a mem_id, from 1", fmt.Sprintf("%q", key))
				a.get(key, optional)
				continue
			}
			l.Arenas[id] = pool(path, a.text(key, required))
		}
	}
	l.Default = named("default_arena", optional)
	l.Temp = named("temp", required)
	l.Constants = named("constants", required)
	if n := o.get("fast_scratch", optional); n != nil {
		f := r.object(n, "fast_scratch")
		l.FastBytes = f.size("size", required)
		if name := f.text("pool", required); f.has("pool") {
			l.Fast = pool("fast_scratch.pool", name)
		}
		if int(l.Fast) < len(p.Pools) && l.FastBytes > p.Pools[l.Fast].Size {
			r.bad("fast_scratch.size", fmt.Sprintf("at most the %d B of %s", p.Pools[l.Fast].Size, p.Pools[l.Fast].Name), fmt.Sprint(l.FastBytes))
		}
		f.done()
	}
	for _, w := range []struct {
		key string
		id  hal.PoolID
	}{{"temp", l.Temp}, {"default_arena", l.Default}, {"fast_scratch.pool", l.Fast}} {
		if int(w.id) < len(p.Pools) && !p.Pools[w.id].Attr.Has(hal.CPUWrite) {
			r.bad(w.key, "a region that the CPU writes", p.Pools[w.id].Name)
		}
	}
	p.Placement = l
}

func (r *reader) power2(path string, n uint64) {
	if n&(n-1) != 0 {
		r.bad(path, "a power of two", fmt.Sprint(n))
	}
}

package flatverify

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/ptero-rt/ptero/internal/fault"
)

const (
	maxProblems = 20
	maxUnknown  = 100
	maxDepth    = 64
	// An honest buffer holds every table once, so a walk touches at most as many bytes as it has. Shared strings and
	// vtables are allowed for.
	workPerByte = 2
	workSlack   = 4096
)

// Verify walks buf from its root table. It gives the paths of present fields that the schema does not know, and an error
// that joins the problems found, each with the given code. Several goroutines may share a schema.
func Verify(buf []byte, root *Table, code fault.Code) (unknown []string, err error) {
	v := verifier{buf: buf, code: code, budget: work(len(buf))}
	v.root(root)
	list := make([]error, len(v.problems))
	for i, p := range v.problems {
		list[i] = p
	}
	return v.unknown, errors.Join(list...)
}

func work(bytes int) int64 { return workPerByte*int64(bytes) + workSlack }

// vtable is one that was found to fit its table type. Most tables of a buffer share a few of them.
type vtable struct {
	at    int
	table *Table
	size  int // from a table's start to the end of its last known field
	refs  []reference
}

// reference is a present field that points elsewhere, at an offset of its table.
type reference struct {
	off   int
	tag   int // where the tag of a union is; 0 if that is absent
	kind  Kind
	size  int // of an element of a String or of Scalars
	field *Field
}

// verifier makes the paths of what it finds on the way back: each level puts its own name in front of what came up from
// below, so that a sound buffer costs no paths.
type verifier struct {
	buf      []byte
	code     fault.Code
	depth    int
	problems []*fault.Error
	unknown  []string
	budget   int64
	stop     bool
	seen     [256]vtable // direct-mapped, by vtable position
}

// mark is how much was found up to some moment.
type mark struct{ problems, unknown int }

func (v *verifier) mark() mark { return mark{len(v.problems), len(v.unknown)} }

// under puts a name before the paths of what was found since m; index is −1 outside a list.
func (v *verifier) under(m mark, name string, index int) {
	if index >= 0 {
		name = fmt.Sprintf("%s[%d]", name, index)
	}
	for _, p := range v.problems[m.problems:] {
		p.Path = join(name, p.Path)
	}
	for i := range v.unknown[m.unknown:] {
		v.unknown[m.unknown+i] = join(name, v.unknown[m.unknown+i])
	}
}

func (v *verifier) root(t *Table) {
	if len(v.buf) > math.MaxInt32 {
		v.problem("at most 2147483647 B of flatbuffer", fault.Bytes(uint64(len(v.buf))))
		return
	}
	if len(v.buf) < 12 {
		v.problem("at least 12 B of flatbuffer", fault.Bytes(uint64(len(v.buf))))
		return
	}
	at := binary.LittleEndian.Uint32(v.buf)
	if at < 8 || int64(at) > int64(len(v.buf))-4 {
		v.problem(fmt.Sprintf("root offset in [8, %d]", len(v.buf)-4), fmt.Sprint(at))
		return
	}
	v.table(int(at), t)
}

func (v *verifier) table(pos int, t *Table) {
	if v.depth > maxDepth {
		v.problem(fmt.Sprintf("at most %d nested tables", maxDepth), "more")
		return
	}
	if pos&3 != 0 || pos > len(v.buf)-4 {
		v.problem("a table at a multiple of 4 inside the flatbuffer", fmt.Sprintf("offset %d of %d", pos, len(v.buf)))
		return
	}
	at := pos - int(int32(binary.LittleEndian.Uint32(v.buf[pos:])))
	known := &v.seen[at>>1&255]
	if known.at != at || known.table != t {
		fresh, ok := v.vtable(at, t)
		if !ok {
			return
		}
		*known = fresh
	}
	if known.size > len(v.buf)-pos {
		v.problem(fmt.Sprintf("a table inside the flatbuffer of %d B", len(v.buf)), fmt.Sprintf("%d B at %d", known.size, pos))
		return
	}
	if !v.spend(known.size) {
		return
	}
	refs := known.refs // the slot may be taken over below
	for i := range refs {
		r, before := &refs[i], v.mark()
		if to, ok := v.follow(pos + r.off); ok {
			switch r.kind {
			case String, Scalars:
				v.vector(to, r.size)
			case Tables:
				v.tables(to, r.field.Table)
			case Child:
				v.child(to, r.field.Table)
			case Union:
				if member := v.member(pos, r); member != nil { // the reader decides about a tag that it does not know
					v.child(to, member)
				}
			}
		}
		if v.mark() != before {
			v.under(before, v.name(pos, r), -1)
		}
		if v.stop {
			return
		}
	}
}

// member is the table that a union holds; nil where its tag is absent or unknown.
func (v *verifier) member(pos int, r *reference) *Table {
	if r.tag == 0 {
		return nil
	}
	if tag := int(v.buf[pos+r.tag]); tag < len(r.field.Union) {
		return r.field.Union[tag]
	}
	return nil
}

// name is how a path calls what a reference leads to.
func (v *verifier) name(pos int, r *reference) string {
	if r.kind == Union {
		if member := v.member(pos, r); member != nil {
			return member.Label
		}
	}
	return r.field.label()
}

func (v *verifier) child(pos int, t *Table) {
	v.depth++
	v.table(pos, t)
	v.depth--
}

// tables checks a list of tables, and puts the index before what it finds.
func (v *verifier) tables(pos int, t *Table) {
	n, ok := v.vector(pos, 4)
	if !ok {
		return
	}
	for i := range n {
		before := v.mark()
		if to, ok := v.follow(pos + 4 + 4*i); ok {
			v.child(to, t)
		}
		if v.mark() != before {
			v.under(before, "", i)
		}
		if v.stop {
			return
		}
	}
}

// vtable reports the fields that the schema does not know, and finds the extent and the references of those that it knows.
// The table size that a vtable states is of no use: the builders in Go and Python share a vtable among tables of different
// sizes.
func (v *verifier) vtable(at int, t *Table) (out vtable, ok bool) {
	if at < 0 || at > len(v.buf)-4 || at&1 != 0 {
		v.problem("a vtable at a multiple of 2 inside the flatbuffer", fmt.Sprintf("offset %d of %d", at, len(v.buf)))
		return out, false
	}
	length := int(binary.LittleEndian.Uint16(v.buf[at:]))
	if length < 4 || length&1 != 0 || length > len(v.buf)-at {
		v.problem("a vtable inside the flatbuffer", fmt.Sprintf("%d B at %d of %d", length, at, len(v.buf)))
		return out, false
	}
	if !v.spend(length) {
		return out, false
	}
	out = vtable{at: at, table: t, size: 4}
	previous := 0 // offset of the field before
	for i := range (length - 4) / 2 {
		off := int(binary.LittleEndian.Uint16(v.buf[at+4+2*i:]))
		switch {
		case off == 0:
		case i >= len(t.Fields):
			if len(v.unknown) < maxUnknown {
				v.unknown = append(v.unknown, fmt.Sprintf("%s.field(%d)", t.Name, i))
			}
		case off < 4:
			before := v.mark()
			v.problem("an offset of 4 or more in its table", fmt.Sprint(off))
			v.under(before, t.Fields[i].label(), -1)
			return out, false
		case t.Fields[i].Kind == Scalar:
			out.size = max(out.size, off+t.Fields[i].Size)
		default:
			out.size = max(out.size, off+4)
			out.refs = append(out.refs, reference{off, previous, t.Fields[i].Kind, max(t.Fields[i].Size, 1), &t.Fields[i]})
		}
		previous = off
	}
	return out, true
}

// follow reads the offset at from, which lies inside the buffer.
func (v *verifier) follow(from int) (int, bool) {
	off := binary.LittleEndian.Uint32(v.buf[from:])
	if off-1 < uint32(len(v.buf)-4-from) { // not 0 either
		return from + int(off), true
	}
	return 0, v.badOffset(from, off)
}

func (v *verifier) badOffset(from int, off uint32) bool {
	v.problem(fmt.Sprintf("an offset in [1, %d]", len(v.buf)-4-from), fmt.Sprint(off))
	return false
}

// vector checks the length word at pos and the elements behind it.
func (v *verifier) vector(pos, size int) (n int, ok bool) {
	if pos&3 != 0 {
		v.problem("a length at a multiple of 4", fmt.Sprintf("offset %d", pos))
		return 0, false
	}
	count, room := binary.LittleEndian.Uint32(v.buf[pos:]), len(v.buf)-pos-4
	if uint64(count)*uint64(size) > uint64(room) {
		v.problem(fmt.Sprintf("at most %d elements of %d B", room/size, size), fmt.Sprint(count))
		return 0, false
	}
	n = int(count)
	return n, v.spend(4 + n*size)
}

func (v *verifier) spend(bytes int) bool {
	v.budget -= int64(bytes)
	return v.budget >= 0 || v.spent()
}

func (v *verifier) spent() bool {
	if !v.stop {
		v.problem(fmt.Sprintf("at most %d B of tables and lists, shared ones counted as often as they are met", work(len(v.buf))), "more")
		v.stop = true
	}
	return false
}

func (v *verifier) problem(want, found string) {
	if len(v.problems) == maxProblems {
		v.stop = true
		return
	}
	v.problems = append(v.problems, &fault.Error{Rule: "flatbuffer", Want: want, Found: found, Code: v.code})
}

func join(name, rest string) string {
	if rest == "" || rest[0] == '[' {
		return name + rest
	}
	return name + "." + rest
}

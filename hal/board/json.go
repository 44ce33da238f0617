package board

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/ptero-rt/ptero/internal/fault"
)

// node is a JSON value with its keys in order, so that a duplicate or unknown key can be named.
type node struct {
	kind  kind
	text  string // of strings, numbers and booleans
	keys  []string
	items []*node // of arrays, and of objects beside keys
}

type kind uint8

const (
	null kind = iota
	text
	number
	boolean
	array
	mapping
)

func (k kind) String() string {
	return [...]string{"null", "text", "a number", "true or false", "a list", "an object"}[k]
}

func parseJSON(src []byte) (*node, error) {
	d := json.NewDecoder(bytes.NewReader(src))
	d.UseNumber()
	n, err := parseValue(d, 0)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("something after the end")
		}
	}
	if err != nil {
		at := int(d.InputOffset())
		var s *json.SyntaxError
		if errors.As(err, &s) {
			at = int(s.Offset)
		}
		before := src[:min(at, len(src))]
		return nil, fault.New(fault.InvalidArgument, fmt.Sprintf("line %d", 1+bytes.Count(before, []byte("\n"))), "a JSON object", err.Error())
	}
	return n, nil
}

func parseValue(d *json.Decoder, depth int) (*node, error) {
	if depth > 32 {
		return nil, errors.New("nesting deeper than 32")
	}
	t, err := d.Token()
	if err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	switch t := t.(type) {
	case string:
		return &node{kind: text, text: t}, nil
	case json.Number:
		return &node{kind: number, text: t.String()}, nil
	case bool:
		return &node{kind: boolean, text: fmt.Sprint(t)}, nil
	case json.Delim:
		n := &node{kind: array}
		if t == '{' {
			n.kind = mapping
		}
		for d.More() {
			if n.kind == mapping {
				k, err := d.Token()
				if err != nil {
					return nil, err
				}
				n.keys = append(n.keys, k.(string))
			}
			v, err := parseValue(d, depth+1)
			if err != nil {
				return nil, err
			}
			n.items = append(n.items, v)
		}
		_, err := d.Token()
		return n, err
	}
	return &node{}, nil
}

// object reads the keys of one JSON object and remembers which were asked for.
type object struct {
	r    *reader
	path string
	n    *node
	used map[string]bool
}

const (
	optional = false
	required = true
)

func (r *reader) object(n *node, path string) *object {
	o := &object{r: r, path: path, n: n, used: map[string]bool{}}
	if n.kind != mapping {
		r.bad(or(path, "profile"), "an object", n.kind.String())
		o.n = &node{kind: mapping}
		return o
	}
	seen := map[string]bool{}
	for _, k := range n.keys {
		if seen[k] {
			r.bad(o.at(k), "each key once", "the key twice")
		}
		seen[k] = true
	}
	return o
}

func or(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

func (o *object) at(key string) string {
	if o.path == "" {
		return key
	}
	return o.path + "." + key
}

func (o *object) keys() []string { return o.n.keys }

func (o *object) has(key string) bool { return o.find(key) != nil }

func (o *object) find(key string) *node {
	for i, k := range o.n.keys {
		if k == key {
			return o.n.items[i]
		}
	}
	return nil
}

func (o *object) get(key string, need bool) *node {
	o.used[key] = true
	n := o.find(key)
	if n == nil && need {
		o.r.bad(o.at(key), "a value", "nothing")
	}
	return n
}

func (o *object) text(key string, need bool) string {
	n := o.get(key, need)
	if n == nil {
		return ""
	}
	if n.kind != text {
		o.r.bad(o.at(key), "text", n.kind.String())
		return ""
	}
	if n.text == "" && need {
		o.r.bad(o.at(key), "text that is not empty", `""`)
	}
	return n.text
}

func (o *object) flag(key string) bool {
	n := o.get(key, optional)
	if n == nil {
		return false
	}
	if n.kind != boolean {
		o.r.bad(o.at(key), "true or false", n.kind.String())
	}
	return n.text == "true"
}

func (o *object) list(key string, need bool) []*node {
	n := o.get(key, need)
	if n == nil {
		return nil
	}
	if n.kind != array {
		o.r.bad(o.at(key), "a list", n.kind.String())
		return nil
	}
	return n.items
}

func (o *object) number(key string) float64 {
	n := o.get(key, optional)
	if n == nil {
		return 0
	}
	f, err := strconv.ParseFloat(n.text, 64)
	if n.kind != number || err != nil || f < 0 || math.IsInf(f, 0) {
		o.r.bad(o.at(key), "a number from 0", found(n))
		return 0
	}
	return f
}

func (o *object) size(key string, need bool) uint64 {
	n := o.get(key, need)
	if n == nil {
		return 0
	}
	v, ok := parseSize(n)
	if !ok {
		o.r.bad(o.at(key), `a whole number from 0, or text such as "64K", "2M" or "0x31000000"`, found(n))
	}
	return v
}

func found(n *node) string {
	if n.kind == text {
		return strconv.Quote(n.text)
	}
	if n.text != "" {
		return n.text
	}
	return n.kind.String()
}

// parseSize reads 512, 5e8, "512", "0x200", "64K", "2M", "1G".
func parseSize(n *node) (uint64, bool) {
	if n.kind == number {
		if v, err := strconv.ParseUint(n.text, 10, 64); err == nil {
			return v, true
		}
		f, err := strconv.ParseFloat(n.text, 64)
		if err != nil || f < 0 || f >= 1<<53 || f != math.Trunc(f) {
			return 0, false
		}
		return uint64(f), true
	}
	if n.kind != text {
		return 0, false
	}
	s, shift := n.text, 0
	for i, unit := range []string{"K", "M", "G"} {
		if rest, ok := strings.CutSuffix(strings.ToUpper(s), unit); ok && !strings.HasPrefix(s, "0x") {
			s, shift = rest, 10*(i+1)
			break
		}
	}
	b := 10
	if rest, ok := strings.CutPrefix(s, "0x"); ok {
		s, b = rest, 16
	}
	v, err := strconv.ParseUint(s, b, 64)
	if err != nil || v > math.MaxUint64>>shift {
		return 0, false
	}
	return v << shift, true
}

// done reports the keys that nobody asked for.
func (o *object) done() {
	for i, k := range o.n.keys {
		if !o.used[k] && indexOf(o.n.keys, k) == i {
			o.r.bad(o.at(k), "a key that profiles have", "an unknown key")
		}
	}
}

func indexOf(list []string, s string) int {
	for i, x := range list {
		if x == s {
			return i
		}
	}
	return -1
}

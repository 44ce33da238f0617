// Package fault is the one error shape of ptero: where something is wrong, what was wanted and what was found.
//
//	plan[0].instructions[7].args[3]: scratch_size: want ≥ 1509584 B, found 65536 B
//	└───────── Path ───────────────┘ └── Rule ──┘ └─── Want ──────┘ └─ Found ──┘
//
// Every package that reads a file or checks a call returns *Error (or a joined list of them), so that people read one
// style and scripts read one set of JSON keys.
package fault

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// Error is one problem at one place. Code is ExecuTorch's error number; Rule is a stable identifier for scripts
// (empty where no rule has a name); Err is a sentinel or a cause for errors.Is, and may be nil.
type Error struct {
	Path  string
	Rule  string
	Want  string
	Found string
	Code  Code
	Err   error
}

// Error writes the problem on one line, leaving out what is empty.
func (e *Error) Error() string {
	var parts []string
	if e.Path != "" {
		parts = append(parts, e.Path)
	}
	if e.Rule != "" {
		parts = append(parts, e.Rule)
	}
	if e.Err != nil {
		parts = append(parts, e.Err.Error())
	}
	switch {
	case e.Want != "" && e.Found != "":
		parts = append(parts, "want "+e.Want+", found "+e.Found)
	case e.Want != "":
		parts = append(parts, "want "+e.Want)
	case e.Found != "":
		parts = append(parts, "found "+e.Found)
	}
	return strings.Join(parts, ": ")
}

// Unwrap gives errors.Is and errors.As the cause.
func (e *Error) Unwrap() error { return e.Err }

// New makes a problem with a code and a place; want and found are formatted by the caller.
func New(code Code, path, want, found string) *Error {
	return &Error{Path: path, Want: want, Found: found, Code: code}
}

// Under puts prefix in front of the path of every *Error inside err (joined lists included), so that a package can
// report a place relative to what it was given. Errors of other types are wrapped with the prefix as their path.
func Under(prefix string, err error) error {
	if err == nil || prefix == "" {
		return err
	}
	return under(prefix, err)
}

func under(prefix string, err error) error {
	list := All(err)
	out := make([]error, len(list))
	for i, one := range list {
		f := new(Error)
		if e, ok := one.(*Error); ok {
			*f = *e
			f.Path = join(prefix, e.Path)
		} else {
			f.Path, f.Code, f.Err = prefix, CodeOf(one), one
		}
		f.Err = bare(prefix, f.Err)
		out[i] = f
	}
	if len(out) == 1 {
		return out[0]
	}
	return errors.Join(out...)
}

// bare takes a file's name off an error of the system where the path says it already.
func bare(path string, err error) error {
	if p, ok := err.(*fs.PathError); ok && p.Path == path {
		return p.Err
	}
	return err
}

func join(prefix, path string) string {
	switch {
	case path == "":
		return prefix
	case path[0] == '[' || path[0] == '.':
		return prefix + path
	}
	return prefix + "." + path
}

// All flattens a joined error into its parts, in order.
func All(err error) []error {
	if err == nil {
		return nil
	}
	if j, ok := err.(interface{ Unwrap() []error }); ok {
		var list []error
		for _, e := range j.Unwrap() {
			list = append(list, All(e)...)
		}
		return list
	}
	return []error{err}
}

// Bytes formats a size for Want and Found.
func Bytes(n uint64) string { return fmt.Sprintf("%d B", n) }

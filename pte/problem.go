package pte

import (
	"errors"
	"fmt"

	"github.com/ptero-rt/ptero/internal/fault"
)

// Sentinels for errors.Is.
var (
	ErrFormat  = errors.New("not a file of the wanted kind")
	ErrVersion = errors.New("written for another version of the format")
)

const maxProblems = 50

// problems collects what is wrong with one file, up to a bound.
type problems struct {
	list []error
	more int
}

// add records one problem; format and args make the path.
func (p *problems) add(code fault.Code, want, found string, format string, args ...any) {
	p.rule("", code, want, found, format, args...)
}

// rule is add for a problem that has a name.
func (p *problems) rule(rule string, code fault.Code, want, found string, format string, args ...any) {
	if len(p.list) == maxProblems {
		p.more++ // without the cost of a path
		return
	}
	p.keep(&fault.Error{Path: fmt.Sprintf(format, args...), Rule: rule, Want: want, Found: found, Code: code})
}

// keep records a problem, or a list of them, that somebody else found.
func (p *problems) keep(err error) {
	for _, one := range fault.All(err) {
		if len(p.list) == maxProblems {
			p.more++
			continue
		}
		p.list = append(p.list, one)
	}
}

func (p *problems) err() error {
	if p.more > 0 {
		p.list = append(p.list, fault.New(fault.CodeOf(p.list[0]), "", fmt.Sprintf("at most %d problems", maxProblems), fmt.Sprintf("%d more", p.more)))
		p.more = 0
	}
	return errors.Join(p.list...)
}

// below says what an index into a list of n must be.
func below(n int) string {
	if n == 0 {
		return "an index into a list, which is empty here"
	}
	return fmt.Sprintf("an index in [0, %d]", n-1)
}

// slab hands out slices cut from larger allocations: a program has many thousand short lists.
type slab[T any] struct {
	free []T
	next int
}

const slabMost = 1 << 12 // elements; what is left over at the end is lost

func (s *slab[T]) take(n int) []T {
	if n > len(s.free) {
		s.next = min(max(64, 2*s.next), slabMost)
		s.free = make([]T, max(n, s.next))
	}
	out := s.free[:n:n]
	s.free = s.free[n:]
	return out
}

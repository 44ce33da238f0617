package memory

import "slices"

// token is one scope of a strategy. A holding keeps the tokens that cover it, innermost last; a token that was
// restored counts no longer wherever it lies, so that scopes may end in any order.
type token struct {
	strategy Strategy
	dead     bool
}

// effective is the strategy of the innermost live scope, or the method's own.
func (h *Holding) effective() Strategy {
	for i := len(h.scopes) - 1; i >= 0; i-- {
		if !h.scopes[i].dead {
			return h.scopes[i].strategy
		}
	}
	return h.base
}

// SetStrategy changes the method's own strategy. It takes effect when the method is idle and no outputs are kept; a run
// keeps the memory that it has. While a scope covers the method, the change shows after the scope.
func (h *Holding) SetStrategy(st Strategy) {
	h.space.mu.Lock()
	defer h.space.mu.Unlock()
	h.base = st
	h.space.rest(h)
	h.space.serve()
}

// Strategy gives the strategy that the next run will have.
func (h *Holding) Strategy() Strategy {
	h.space.mu.Lock()
	defer h.space.mu.Unlock()
	return h.effective()
}

// Push puts holdings under a strategy until restore is called. Scopes nest and may end in any order; afterwards each
// holding has exactly the strategy that it would have without the scope. A second restore does nothing.
func (s *Space) Push(st Strategy, hs ...*Holding) (restore func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.push(&token{strategy: st}, hs)
}

// PushAll is Push for all holdings of the space, with those taken while the scope lasts.
func (s *Space) PushAll(st Strategy) (restore func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := &token{strategy: st}
	s.scopes = append(s.scopes, t)
	return s.push(t, s.holdings)
}

func (s *Space) push(t *token, hs []*Holding) func() {
	for _, h := range hs {
		if !slices.Contains(h.scopes, t) {
			h.scopes = append(h.scopes, t)
			s.rest(h)
		}
	}
	s.serve()
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if t.dead {
			return
		}
		t.dead = true
		s.scopes = slices.DeleteFunc(s.scopes, func(x *token) bool { return x == t })
		for _, h := range slices.Clone(s.holdings) {
			if i := slices.Index(h.scopes, t); i >= 0 {
				h.scopes = slices.Delete(h.scopes, i, i+1)
				s.rest(h)
			}
		}
		s.serve()
	}
}

// With calls f with holdings under a strategy and restores it afterwards, also when f panics.
func (s *Space) With(st Strategy, hs []*Holding, f func() error) error {
	defer s.Push(st, hs...)()
	return f()
}

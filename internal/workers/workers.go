// Package workers runs the parts of one task on several cores without allocating.
//
// A Pool keeps its goroutines for its whole life. A task is cut into a number of parts that the task itself chooses;
// which goroutine runs which part must not matter for the result, so results are the same for every pool size.
package workers

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Task is work that was cut into parts. Do is called once for every part from 0 on, by several goroutines at once.
// Keep the task in state that outlives the call (not a closure): handing it over then allocates nothing.
type Task interface {
	Do(part int)
}

// Pool is a fixed set of goroutines. One task runs at a time; a second caller runs its own task alone meanwhile.
// A nil *Pool runs everything on the calling goroutine.
type Pool struct {
	size    int
	busy    sync.Mutex
	wake    []chan struct{}
	done    sync.WaitGroup
	task    Task
	parts   int64
	next    atomic.Int64
	failure atomic.Pointer[recovered]
}

type recovered struct{ value any }

// New makes a pool of n workers, the calling goroutine counted in; n < 1 means GOMAXPROCS.
func New(n int) *Pool {
	if n < 1 {
		n = runtime.GOMAXPROCS(0)
	}
	p := &Pool{size: n}
	for range n - 1 {
		c := make(chan struct{}, 1)
		p.wake = append(p.wake, c)
		go p.serve(c)
	}
	return p
}

// Size is the number of workers, at least 1.
func (p *Pool) Size() int {
	if p == nil {
		return 1
	}
	return p.size
}

// Run does all parts of t and returns when the last is done. A panic in a part is raised again here.
func (p *Pool) Run(parts int, t Task) {
	if p == nil || p.size == 1 || parts < 2 || !p.busy.TryLock() {
		for i := range parts {
			t.Do(i)
		}
		return
	}
	defer p.busy.Unlock()
	p.task, p.parts = t, int64(parts)
	p.next.Store(0)
	p.failure.Store(nil)
	n := min(len(p.wake), parts-1)
	p.done.Add(n)
	for _, c := range p.wake[:n] {
		c <- struct{}{}
	}
	p.work()
	p.done.Wait()
	p.task = nil
	if f := p.failure.Load(); f != nil {
		panic(f.value)
	}
}

func (p *Pool) serve(c chan struct{}) {
	for range c {
		p.work()
		p.done.Done()
	}
}

func (p *Pool) work() {
	defer func() {
		if v := recover(); v != nil {
			p.failure.CompareAndSwap(nil, &recovered{v})
			p.next.Store(p.parts)
		}
	}()
	for {
		i := p.next.Add(1) - 1
		if i >= p.parts {
			return
		}
		p.task.Do(int(i))
	}
}

// Close ends the goroutines. The pool must be idle; a second Close does nothing.
func (p *Pool) Close() {
	if p == nil {
		return
	}
	for _, c := range p.wake {
		close(c)
	}
	p.wake, p.size = nil, 1
}

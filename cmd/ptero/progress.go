package main

import (
	"io"
	"os"
	"time"

	"github.com/jedib0t/go-pretty/v6/progress"
	"golang.org/x/term"
)

// bar shows on a terminal how far long work is. Its zero value shows nothing.
type bar struct {
	w       progress.Writer
	tracker *progress.Tracker
	drawn   chan struct{}
}

// progress starts a bar for work of n steps. There is none where stderr is no terminal or -v logs to it, nor where results
// appear on a terminal, since they show how far the work is.
func (c *console) progress(what string, n int) *bar {
	terminal := func(w io.Writer) bool {
		f, ok := w.(*os.File)
		return ok && term.IsTerminal(int(f.Fd()))
	}
	if !terminal(c.err) || terminal(c.out) || c.verbose || n < 2 {
		return &bar{}
	}
	b := &bar{w: progress.NewWriter(), tracker: &progress.Tracker{Message: what, Total: int64(n), RemoveOnCompletion: true}, drawn: make(chan struct{})}
	b.w.SetOutputWriter(c.err)
	b.w.SetUpdateFrequency(100 * time.Millisecond)
	b.w.SetTrackerLength(30)
	b.w.SetAutoStop(true) // when the tracker is done
	b.w.Style().Visibility.ETA = true
	b.w.AppendTracker(b.tracker)
	go func() {
		b.w.Render()
		close(b.drawn)
	}()
	return b
}

// step counts one step done.
func (b *bar) step() {
	if b.w != nil {
		b.tracker.Increment(1)
	}
}

// stop takes the bar away.
func (b *bar) stop() {
	if b.w == nil {
		return
	}
	b.tracker.MarkAsDone()
	<-b.drawn
	b.w = nil
}

package haltest

import (
	"errors"
	"sync/atomic"

	"github.com/ptero-rt/ptero/hal"
)

// ErrInjected is the error of a call that a Faulty board fails.
var ErrInjected = errors.New("injected fault")

// Faulty is a board that fails its n-th call which can fail, counted from 1 over Window, Sync, DeviceBytes and Trim; 0 fails
// none. Sweep n from 1 until Calls is below it to see every error path. It may be used by several goroutines.
type Faulty struct {
	hal.Board
	n     int64
	calls atomic.Int64
}

// NewFaulty makes a board that fails its n-th call.
func NewFaulty(b hal.Board, n int) *Faulty { return &Faulty{Board: b, n: int64(n)} }

// Calls is how many calls there were that can fail.
func (f *Faulty) Calls() int { return int(f.calls.Load()) }

func (f *Faulty) fail() error {
	if f.calls.Add(1) == f.n {
		return ErrInjected
	}
	return nil
}

// Window is the board's, or an injected fault.
func (f *Faulty) Window(p hal.PoolID) (hal.Region, error) {
	if err := f.fail(); err != nil {
		return hal.Region{}, err
	}
	return f.Board.Window(p)
}

// Sync is the board's, or an injected fault.
func (f *Faulty) Sync(r hal.Region, d hal.Direction) error {
	if err := f.fail(); err != nil {
		return err
	}
	return f.Board.Sync(r, d)
}

// DeviceBytes is the board's, or an injected fault; an error where the board is not simulated.
func (f *Faulty) DeviceBytes(device string, r hal.Region) ([]byte, error) {
	if err := f.fail(); err != nil {
		return nil, err
	}
	if s, ok := f.Board.(hal.Simulated); ok {
		return s.DeviceBytes(device, r)
	}
	return nil, errors.ErrUnsupported
}

// Trim is the board's, or an injected fault; nothing where the board cannot trim.
func (f *Faulty) Trim(r hal.Region) error {
	if err := f.fail(); err != nil {
		return err
	}
	if t, ok := f.Board.(hal.Trimmer); ok {
		return t.Trim(r)
	}
	return nil
}

package executor

import (
	"errors"

	"github.com/ptero-rt/ptero/internal/fault"
)

// Error is one problem at one place: see the fields. Lists of them come joined; errors.As finds the first.
type Error = fault.Error

// Code is ExecuTorch's error number.
type Code = fault.Code

// CodeOf gives ExecuTorch's error number of any error that ptero returned.
func CodeOf(err error) Code { return fault.CodeOf(err) }

// Sentinels, for errors.Is.
var (
	ErrBusy       = errors.New("method is running")
	ErrDeviceBusy = errors.New("device did not finish and may still write")
	ErrMissing    = errors.New("missing in this build")
	ErrNoData     = errors.New("not in the data files")
	ErrBudget     = errors.New("instruction budget used up")
	ErrClosed     = errors.New("closed")
)

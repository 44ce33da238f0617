package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"go.uber.org/zap/zapcore"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
)

// Exit statuses, the same for every verb.
const (
	exitDone    = 0
	exitFailed  = 1 // ran and failed, or the result differs
	exitUsage   = 2
	exitFile    = 3 // the file is damaged or unsupported
	exitFit     = 4 // it does not fit the board
	exitMissing = 5 // an operator, dtype, backend or driver is missing
)

// usageError marks a wrong command line.
type usageError struct{ error }

// wrongFlag is a usage error about the value of a flag.
func wrongFlag(flag, want, found string) error {
	return usageError{fault.New(fault.InvalidArgument, flag, want, found)}
}

func (e usageError) Unwrap() error { return e.error }

// phaseError says how far a program came, which decides the exit status.
type phaseError struct {
	status int
	error
}

func (e phaseError) Unwrap() error { return e.error }

// inPhase marks err with the exit status of the phase it came from; missing operators count as missing everywhere.
func inPhase(status int, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, executor.ErrMissing) {
		status = exitMissing
	}
	return phaseError{status, err}
}

// quietError carries a status whose report was printed already.
type quietError struct{ status int }

func (e quietError) Error() string { return fmt.Sprintf("exit status %d", e.status) }

// console is where a verb prints, and how.
type console struct {
	out, err io.Writer
	json     bool
	verbose  bool
}

// printf prints text for people on stdout.
func (c *console) printf(format string, args ...any) { fmt.Fprintf(c.out, format, args...) }

// document prints one JSON document on a line of its own.
func (c *console) document(v any) error {
	e := json.NewEncoder(c.out)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// log gives the logger of the command line: warnings, or everything with -v.
func (c *console) log() zapcore.Core {
	level := zapcore.WarnLevel
	if c.verbose {
		level = zapcore.DebugLevel
	}
	lines := zapcore.NewConsoleEncoder(zapcore.EncoderConfig{LevelKey: "level", MessageKey: "message", EncodeLevel: zapcore.CapitalLevelEncoder})
	return zapcore.NewCore(lines, zapcore.AddSync(c.err), level)
}

// errorJSON is one problem as scripts read it.
type errorJSON struct {
	Message string    `json:"message"`
	Code    *codeJSON `json:"code"`
	Rule    *string   `json:"rule"`
	Path    *string   `json:"path"`
	Want    *string   `json:"want"`
	Found   *string   `json:"found"`
}

type codeJSON struct {
	Number uint32 `json:"number"`
	Name   string `json:"name"`
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func toJSON(err error) errorJSON {
	var u usageError
	code := fault.CodeOf(err)
	if code == fault.Internal && errors.As(err, &u) {
		code = fault.InvalidArgument
	}
	var p *fs.PathError
	if code == fault.Internal && errors.As(err, &p) {
		code = fault.AccessFailed
	}
	j := errorJSON{Message: err.Error(), Code: &codeJSON{uint32(code), code.String()}}
	var f *fault.Error
	if errors.As(err, &f) {
		j.Rule, j.Path, j.Want, j.Found = optional(f.Rule), optional(f.Path), optional(f.Want), optional(f.Found)
	}
	return j
}

// failure is what --json prints instead of a result: the first problem, and all of them where there are several.
func failure(err error) map[string]any {
	list := listJSON(err)
	m := map[string]any{"error": list[0]}
	if len(list) > 1 {
		m["errors"] = list
	}
	return m
}

// listJSON gives every problem in an error.
func listJSON(err error) []errorJSON {
	var list []errorJSON
	for _, e := range fault.All(unmark(err)) {
		if status(err) == exitUsage {
			e = usageError{e}
		}
		list = append(list, toJSON(e))
	}
	return list
}

// unmark takes the exit status off an error, so that lists inside are seen.
func unmark(err error) error {
	switch e := err.(type) {
	case phaseError:
		return unmark(e.error)
	case usageError:
		return unmark(e.error)
	}
	return err
}

// status gives the exit status of an error.
func status(err error) int {
	var u usageError
	var p phaseError
	var q quietError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &q):
		return q.status
	case errors.As(err, &u):
		return exitUsage
	case errors.As(err, &p):
		return p.status
	}
	return exitFailed
}

// finish reports an error the way the user asked for and gives the exit status.
func (c *console) finish(err error) int {
	s := status(err)
	var q quietError
	if err == nil || errors.As(err, &q) {
		return s
	}
	if c.json {
		if e := c.document(failure(err)); e != nil {
			fmt.Fprintln(c.err, "ptero:", e)
		}
	}
	c.complain(err)
	return s
}

// complain prints every problem in an error on stderr.
func (c *console) complain(err error) {
	for _, e := range fault.All(unmark(err)) {
		fmt.Fprintln(c.err, "ptero:", e)
	}
	if status(err) == exitUsage {
		fmt.Fprintln(c.err, "ptero: see ptero --help")
	}
}

package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/internal/fault"
)

// setup holds the flags that verbs share which open a program on a board.
type setup struct {
	board    string
	npu      string
	data     []string
	threads  int
	strategy string
	method   string
	overlay  string
}

func (s *setup) boardFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.board, "board", "host", "board: a name that `ptero boards` lists, or a profile FILE.json")
	cmd.Flags().StringVar(&s.npu, "npu", "", "fix the simulated product of the board, for instance ethos-u55-128 (default: the program's)")
	cmd.Flags().StringVar(&s.overlay, "use-overlay", "", "use the memory plan in this file, which plan --overlay made for the program")
	cmd.Flags().StringArrayVar(&s.data, "data", nil, "add external weights from a .ptd file (repeatable)")
}

func (s *setup) runFlags(cmd *cobra.Command) {
	s.boardFlags(cmd)
	cmd.Flags().IntVar(&s.threads, "threads", 0, "cores to use (default: all)")
	cmd.Flags().StringVar(&s.strategy, "strategy", "static", "how memory is held: static, dynamic or shared")
	cmd.Flags().StringVar(&s.method, "method", "", "method to run (default: forward, or the first)")
}

// options turns the flags into options of the front door.
func (s *setup) options(c *console) ([]ptero.Option, error) {
	strategy, err := ptero.ParseStrategy(valueOr(s.strategy, "static"))
	if err != nil {
		return nil, usageError{err}
	}
	if s.threads < 0 {
		return nil, wrongFlag("--threads", "0 or more", fmt.Sprint(s.threads))
	}
	if err := ptero.CheckBoard(valueOr(s.board, "host"), s.npu); err != nil {
		return nil, usageError{err}
	}
	return []ptero.Option{
		ptero.BoardNamed(valueOr(s.board, "host")), ptero.NPU(s.npu), ptero.Data(s.data...), ptero.Overlay(s.overlay), ptero.Threads(s.threads),
		ptero.Hold(strategy), ptero.Logger(c.log()),
	}, nil
}

func valueOr(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// open opens a program with the flags' options.
func (s *setup) open(c *console, file string) (*ptero.Model, error) {
	opts, err := s.options(c)
	if err != nil {
		return nil, err
	}
	m, err := ptero.Open(file, opts...)
	if err != nil {
		return nil, inPhase(exitFile, err)
	}
	return m, nil
}

// choose gives the method to run: the one asked for, else "forward", else the first.
func (s *setup) choose(m *ptero.Model) (string, error) {
	names := m.Methods()
	if s.method != "" {
		for _, n := range names {
			if n == s.method {
				return n, nil
			}
		}
		return "", wrongFlag("--method", "one of "+strings.Join(names, ", "), strconv.Quote(s.method))
	}
	for _, n := range names {
		if n == "forward" {
			return n, nil
		}
	}
	if len(names) == 0 {
		return "", inPhase(exitFile, fault.New(fault.InvalidProgram, m.Path(), "a program with methods", "none"))
	}
	return names[0], nil
}

// load takes a method through Link, Fit and Bind; errors carry the exit status of the phase.
func load(m *ptero.Model, name string) (*ptero.Method, error) {
	l, err := m.Link(name)
	if err != nil {
		return nil, inPhase(exitFile, err)
	}
	method, err := m.Bind(l)
	if err != nil {
		return nil, inPhase(exitFit, err)
	}
	return method, nil
}

// Command ptero inspects, checks, plans, runs and measures ExecuTorch programs: one binary, one verb a job.
//
//	inspect ─▶ ops ─▶ fit ─▶ plan            how far a verb goes is how much of the program must be right:
//	 Parse    Link   Fit   ─▶ run verify bench   Parse, Link, Fit, Run
//
// Text and JSON go to stdout, logs and progress to stderr. The exit status says what went wrong: see exit.go.
package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
)

func main() {
	// A command loads programs of a few megabytes and then runs without allocating. By default the first collection comes at
	// 4 MB, in the middle of that load, and takes longer than it.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	os.Exit(run(os.Args[1:], &console{out: os.Stdout, err: os.Stderr}))
}

// run executes one command line and gives its exit status.
func run(args []string, c *console) int {
	c.json = slices.Contains(args, "--json") // also where a flag before it is wrong
	root := newRoot(c)
	root.SetArgs(args)
	root.SetOut(c.out)
	root.SetErr(c.err)
	return c.finish(root.Execute())
}

func newRoot(c *console) *cobra.Command {
	root := &cobra.Command{
		Use:           "ptero",
		Short:         "Run ExecuTorch programs, on devices and on simulated NPUs",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return wrongFlag("", "a verb of ptero", strconv.Quote(args[0]))
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.PersistentFlags().BoolVar(&c.json, "json", c.json, "print JSON for scripts")
	root.PersistentFlags().BoolVarP(&c.verbose, "verbose", "v", false, "log what happens, to stderr")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddCommand(
		newInspect(c), newOps(c), newFit(c), newPlan(c), newRun(c), newVerify(c), newBench(c), newDisasm(c), newLint(c), newBoards(c), newVersion(c),
	)
	for _, cmd := range root.Commands() {
		check := cmd.Args
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if check != nil && check(cmd, args) != nil {
				return wrongFlag("", "ptero "+cmd.Use, fmt.Sprintf("%d arguments", len(args)))
			}
			return nil
		}
	}
	return root
}

// Command ptero inspects, checks, plans, runs and measures ExecuTorch programs: one binary, one verb a job.
//
//	inspect ─▶ ops ─▶ fit ─▶ plan            how far a verb goes is how much of the program must be right:
//	 Parse    Link   Fit   ─▶ run verify bench   Parse, Link, Fit, Run
//
// Text and JSON go to stdout, logs and progress to stderr. The exit status says what went wrong: see exit.go.
package main

import (
	"os"

	"github.com/spf13/cobra"
)

func main() {
	os.Exit(run(os.Args[1:]))
}

// run executes one command line and gives its exit status.
func run(args []string) int {
	c := &console{out: os.Stdout, err: os.Stderr}
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
	}
	root.PersistentFlags().BoolVar(&c.json, "json", false, "print JSON for scripts")
	root.PersistentFlags().BoolVarP(&c.verbose, "verbose", "v", false, "log what happens, to stderr")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddCommand(
		newInspect(c), newOps(c), newFit(c), newPlan(c), newRun(c), newVerify(c), newBench(c), newDisasm(c), newLint(c), newBoards(c), newVersion(c),
	)
	for _, cmd := range root.Commands() {
		check := cmd.Args
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if check == nil {
				return nil
			}
			if err := check(cmd, args); err != nil {
				return usageError{err}
			}
			return nil
		}
	}
	return root
}

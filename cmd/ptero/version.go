package main

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersion(c *console) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of ptero and of Go",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v := map[string]string{"ptero": "devel", "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH}
			if info, ok := debug.ReadBuildInfo(); ok {
				if info.Main.Version != "" {
					v["ptero"] = info.Main.Version
				}
				for _, s := range info.Settings {
					if s.Key == "vcs.revision" {
						v["revision"] = s.Value
					}
				}
			}
			if c.json {
				return c.document(v)
			}
			c.printf("ptero %s %s/%s, %s\n", v["ptero"], v["os"], v["arch"], v["go"])
			if v["revision"] != "" {
				c.printf("revision %s\n", v["revision"])
			}
			return nil
		},
	}
}

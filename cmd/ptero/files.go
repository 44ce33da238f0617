package main

import (
	"errors"
	"fmt"

	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/pte"
)

// described is a file's description, for people and for JSON.
type described interface{ print(c *console) }

// file is an open file of any kind that inspect knows.
type file struct {
	*pte.File
	others []*file // closed with it
}

func openFile(name string) (*file, error) {
	f, err := pte.Open(name)
	if err != nil {
		return nil, inPhase(exitFile, fault.Under(name, err))
	}
	return &file{File: f}, nil
}

// Close closes the file and those that were opened for it.
func (f *file) Close() error {
	errs := []error{f.File.Close()}
	for _, other := range f.others {
		errs = append(errs, other.Close())
	}
	return errors.Join(errs...)
}

func (f *file) describe() (described, error) {
	switch f.Kind {
	case pte.ProgramFile, pte.BundleFile:
		p, err := f.Program()
		if err != nil {
			return nil, fault.Under(f.Name, err)
		}
		d := describeProgram(f.Name, len(f.Bytes), p)
		if f.Kind == pte.ProgramFile {
			return d, nil
		}
		b, err := f.Bundle()
		if err != nil {
			return nil, fault.Under(f.Name, err)
		}
		d.Kind = "bpte"
		for _, s := range b.Suites {
			d.Suites = append(d.Suites, suiteJSON{s.Method, len(s.Cases)})
		}
		return d, nil
	case pte.TensorDataFile:
		t, err := f.TensorData()
		if err != nil {
			return nil, fault.Under(f.Name, err)
		}
		return describeTensorData(f.Name, len(f.Bytes), t), nil
	}
	if d := describeBareBlob(f.Name, f.Bytes); d != nil {
		return d, nil
	}
	return nil, fault.New(fault.InvalidProgram, f.Name, "a .pte, .ptd, .bpte, Vela stream or Neutron payload", firstBytes(f.Bytes))
}

// firstBytes tells what a file of an unknown kind begins with.
func firstBytes(b []byte) string {
	switch {
	case len(b) == 0:
		return "an empty file"
	case len(b) > 8 && string(b[4:8]) == "TFL3":
		return "a .tflite: ExecuTorch's exporter makes .pte"
	}
	return fmt.Sprintf("first bytes %q", b[:min(len(b), 16)])
}

// tensorDataJSON is what inspect tells of a `.ptd`.
type tensorDataJSON struct {
	File    string      `json:"file"`
	Kind    string      `json:"kind"`
	Bytes   int         `json:"bytes"`
	Version uint32      `json:"version"`
	Entries []entryJSON `json:"entries"`
	Unknown []string    `json:"unknown_fields,omitempty"`
}

type entryJSON struct {
	Key   string  `json:"key"`
	Bytes int     `json:"bytes"`
	DType string  `json:"dtype,omitempty"`
	Sizes []int32 `json:"sizes,omitempty"`
}

func describeTensorData(name string, size int, t *pte.TensorData) *tensorDataJSON {
	d := &tensorDataJSON{File: name, Kind: "ptd", Bytes: size, Version: t.Version, Entries: []entryJSON{}, Unknown: t.Unknown}
	for _, e := range t.Entries {
		j := entryJSON{Key: e.Key, Bytes: len(e.Bytes)}
		if e.Layout != nil {
			j.DType, j.Sizes = e.Layout.DType.String(), e.Layout.Sizes
		}
		d.Entries = append(d.Entries, j)
	}
	return d
}

func (d *tensorDataJSON) print(c *console) {
	c.printf("%s: ptd, %s bytes, %d entries\n", d.File, group(d.Bytes), len(d.Entries))
	g := newGrid("key", "type", "bytes>")
	for _, e := range d.Entries {
		what := "opaque"
		if e.DType != "" {
			what = fmt.Sprintf("%s %v", e.DType, e.Sizes)
		}
		g.row(e.Key, what, group(e.Bytes))
	}
	g.print(c, "  ")
	for _, u := range d.Unknown {
		c.printf("field unknown to this version: %s\n", u)
	}
}

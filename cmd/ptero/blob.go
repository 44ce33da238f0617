package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/stream"
	"github.com/ptero-rt/ptero/backends/nxp"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/pte"
)

// payload is an NPU blob and where it was found.
type payload struct {
	where    string // "method forward, delegate 0"; empty for a bare blob
	method   string
	delegate int
	id       string // of the backend
	bytes    []byte
	specs    []pte.CompileSpec
	named    namedData
}

// path is where the blob lies, as errors write it.
func (p *payload) path() string {
	if p.method == "" {
		return ""
	}
	return fmt.Sprintf("%s.delegates[%d]", p.method, p.delegate)
}

// blobFlags say how a file is opened that holds blobs.
type blobFlags struct {
	data []string // files with blocks that lie outside the program
	npu  string   // of a bare command stream
}

func (b *blobFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&b.data, "data", nil, "a .ptd with blocks that lie outside the program (repeatable)")
	cmd.Flags().StringVar(&b.npu, "npu", "", "the file is the bare words of a command stream for this NPU (ethos-u65-256)")
}

// namedData looks a key up in a program and in data files.
type namedData func(key string) ([]byte, bool)

// payloads lists the NPU blobs of a file: those of a program's delegates, or the file itself. Blocks that lie outside a
// program are looked for in data files. With an accelerator's name, a file of any other kind is a bare command stream for it.
func (f *file) payloads(flags blobFlags) ([]payload, error) {
	if f.Kind != pte.ProgramFile && f.Kind != pte.BundleFile {
		if id := bareBackend(f.Bytes); id != "" {
			return []payload{{id: id, bytes: f.Bytes}}, nil
		}
		if flags.npu != "" {
			a, err := stream.ParseAccelerator(flags.npu)
			if err != nil {
				return nil, usageError{err}
			}
			return []payload{{id: ethosu.BackendID, bytes: ethosu.Wrap(a, f.Bytes)}}, nil
		}
		return nil, fault.New(fault.InvalidProgram, f.Name, "a .pte, .bpte, Vela stream or Neutron payload", firstBytes(f.Bytes))
	}
	p, err := f.Program()
	if err != nil {
		return nil, fault.Under(f.Name, err)
	}
	var files []*pte.TensorData
	for _, name := range flags.data {
		other, err := openFile(name)
		if err != nil {
			return nil, err
		}
		f.others = append(f.others, other)
		t, err := other.TensorData()
		if err != nil {
			return nil, fault.Under(name, err)
		}
		files = append(files, t)
	}
	named := namedIn(p, files...)
	var list []payload
	for i := range p.Plans {
		for k, d := range p.Plans[i].Delegates {
			if d.ID != ethosu.BackendID && d.ID != nxp.BackendID {
				continue
			}
			list = append(list, payload{where: fmt.Sprintf("method %s, delegate %d", p.Plans[i].Name, k), method: p.Plans[i].Name, delegate: k,
				id: d.ID, bytes: d.Blob, specs: d.Specs, named: named})
		}
	}
	return list, nil
}

func namedIn(p *pte.Program, files ...*pte.TensorData) namedData {
	found := map[string][]byte{}
	for i := len(files) - 1; i >= 0; i-- {
		for _, e := range files[i].Entries {
			found[e.Key] = e.Bytes
		}
	}
	for _, n := range p.NamedData {
		found[n.Key] = n.Bytes
	}
	return func(key string) ([]byte, bool) {
		b, ok := found[key]
		return b, ok
	}
}

// bareBackend tells whose blob a file is; empty where no backend knows it.
func bareBackend(b []byte) string {
	if ethosu.IsBlob(b) || strings.HasPrefix(string(b[:min(len(b), 4)]), "COP") {
		return ethosu.BackendID
	}
	if _, err := nxp.Describe(b); err == nil {
		return nxp.BackendID
	}
	return ""
}

// blobJSON is an opened NPU blob: facts for scripts, text for people.
type blobJSON struct {
	File  string `json:"file,omitempty"`
	Kind  string `json:"kind"`
	Facts any    `json:"facts,omitempty"`
	Error string `json:"error,omitempty"`
	text  string
}

func (b *blobJSON) print(c *console) { b.printIndented(c, "") }

func (b *blobJSON) printIndented(c *console, indent string) {
	for _, line := range strings.Split(strings.TrimRight(b.text, "\n"), "\n") {
		c.printf("%s%s\n", indent, line)
	}
}

// describeBlob opens the payload of a delegate; nil where no backend knows it.
func describeBlob(p *pte.Program, d *pte.Delegate) *blobJSON {
	return describePayload(payload{id: d.ID, bytes: d.Blob, specs: d.Specs, named: namedIn(p)})
}

// describeBareBlob opens a file that is a blob itself; nil where no backend knows it.
func describeBareBlob(name string, data []byte) described {
	b := describePayload(payload{id: bareBackend(data), bytes: data})
	if b == nil {
		return nil
	}
	b.File = name
	return b
}

func describePayload(p payload) *blobJSON {
	switch p.id {
	case ethosu.BackendID:
		d, err := ethosu.Describe(p.bytes, ethosu.LookUpIn(p.named), p.specs)
		if err != nil {
			return &blobJSON{Kind: "ethosu", Error: err.Error(), text: fmt.Sprintf("cannot be opened: %v", err)}
		}
		return &blobJSON{Kind: "ethosu", Facts: d, text: d.Summary()}
	case nxp.BackendID:
		d, err := nxp.Describe(p.bytes)
		if err != nil {
			return &blobJSON{Kind: "neutron", Error: err.Error(), text: fmt.Sprintf("cannot be opened: %v", err)}
		}
		return &blobJSON{Kind: "neutron", Facts: d, text: d.Disassemble()}
	}
	return nil
}

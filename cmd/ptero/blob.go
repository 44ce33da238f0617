package main

import (
	"strings"

	"github.com/ptero-rt/ptero/backends/nxp"
	"github.com/ptero-rt/ptero/pte"
)

// blobJSON is an opened NPU blob: facts for scripts, text for people.
type blobJSON struct {
	File  string `json:"file,omitempty"`
	Kind  string `json:"kind"`
	Facts any    `json:"facts"`
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
	if d.ID == nxp.BackendID {
		return describeNeutron(d.Blob)
	}
	return nil
}

// describeBareBlob opens a file that is a blob itself; nil where no backend knows it.
func describeBareBlob(name string, data []byte) described {
	if b := describeNeutron(data); b != nil {
		b.File = name
		return b
	}
	return nil
}

func describeNeutron(data []byte) *blobJSON {
	d, err := nxp.Describe(data)
	if err != nil {
		return nil
	}
	return &blobJSON{Kind: "neutron", Facts: d, text: d.Disassemble()}
}

package main

import "github.com/ptero-rt/ptero/pte"

// blobJSON is an opened NPU blob.
type blobJSON struct {
	File  string `json:"file,omitempty"`
	Facts any    `json:"facts"`
	text  func(c *console, indent string)
}

func (b *blobJSON) print(c *console, indent ...string) {}

// describeBlob opens the payload of a delegate; nil where no backend knows it.
func describeBlob(p *pte.Program, m *pte.Plan, i int) *blobJSON { return nil }

// describeBareBlob opens a file that is a blob itself.
func describeBareBlob(name string, data []byte) described { return nil }

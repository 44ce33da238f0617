package sim

import (
	"bytes"
	"fmt"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// encoded is what lies behind spans of weight or scale memory. The decoded form is kept as long as those bytes stay
// the same. Streams read from region 0 cannot change; those that DMA brings into another region are compared before
// each use, which costs far less than decoding.
type encoded struct {
	spans []stream.Span
	bytes [][]byte // what the decoded form was made from; nil: not decoded yet
}

func (e *encoded) at(m *machine, i int) []byte {
	s := e.spans[i]
	if s.Bytes == 0 { // touches nothing, wherever it points
		return nil
	}
	return m.regions[s.Region][s.Base : s.Base+s.Bytes]
}

// current reports whether the decoded form still holds.
func (e *encoded) current(m *machine) bool {
	if e.bytes == nil {
		return false
	}
	for i, s := range e.spans {
		if s.Region != ethosu.RegionWeights && !bytes.Equal(e.bytes[i], e.at(m, i)) {
			return false
		}
	}
	return true
}

// remember notes the bytes that the decoded form was made from.
func (e *encoded) remember(found [][]byte) {
	e.bytes = make([][]byte, len(found))
	for i, b := range found {
		if e.spans[i].Region != ethosu.RegionWeights {
			b = bytes.Clone(b)
		}
		e.bytes[i] = b
	}
}

func (e *encoded) fetch(m *machine) [][]byte {
	list := make([][]byte, len(e.spans))
	for i := range e.spans {
		list[i] = e.at(m, i)
	}
	return list
}

// weightSlot holds the decoded weights of one operation.
type weightSlot struct {
	encoded
	order weightOrder
	dense []int16
}

func (w *weightSlot) decode(found [][]byte) (err error) {
	if w.dense, err = decodeWeights(&w.order, found); err != nil {
		w.dense, w.bytes = nil, nil
		return err
	}
	w.remember(found)
	return nil
}

// scaleSlot holds the decoded scales of one operation.
type scaleSlot struct {
	encoded
	kernel   *stream.Kernel
	product  stream.Product
	channels []channelScale
}

func (s *scaleSlot) decode(found [][]byte) (err error) {
	if s.channels, err = decodeScales(s.kernel, s.product, found); err != nil {
		return err
	}
	s.remember(found)
	return nil
}

// refresh decodes the weights and scales again if the memory that they come from has changed.
func (s *kernelStep) refresh(m *machine) error {
	changed := false
	if w := s.weights; w != nil && !w.current(m) {
		if err := w.decode(w.fetch(m)); err != nil {
			return at(s.op, "weights", err)
		}
		changed = true
	}
	if c := s.scales; c != nil && !c.current(m) {
		if err := c.decode(c.fetch(m)); err != nil {
			return at(s.op, "scales", err)
		}
		changed = true
	}
	if changed {
		s.fast.adopt()
	}
	return nil
}

// forget drops what was decoded.
func (s *kernelStep) forget() {
	if s.weights != nil {
		s.weights.bytes = nil
	}
	if s.scales != nil {
		s.scales.bytes = nil
	}
}

// origin finds which bytes of the weights region lie in spans when op runs: the spans themselves if they are there, or
// what the nearest transfer before copied into them. It gives nil where only running the stream can tell.
func origin(ops []stream.Op, op int, spans []stream.Span, weights []byte) [][]byte {
	list := make([][]byte, len(spans))
	for i, s := range spans {
		at, ok := originOf(ops, op, s)
		if !ok || at+s.Bytes > uint64(len(weights)) || at+s.Bytes < at {
			return nil
		}
		list[i] = weights[at : at+s.Bytes]
	}
	return list
}

func originOf(ops []stream.Op, op int, s stream.Span) (uint64, bool) {
	if s.Region == ethosu.RegionWeights {
		return s.Base, true
	}
	for i := op - 1; i >= 0; i-- {
		t := ops[i].Transfer
		if t == nil || t.DstInternal || t.Dst.Region != s.Region || t.Dims != 1 {
			continue
		}
		if t.Dst.Base <= s.Base && s.Base+s.Bytes <= t.Dst.Base+t.Dst.Bytes {
			return t.Src.Base + s.Base - t.Dst.Base, t.Src.Region == ethosu.RegionWeights && !t.SrcInternal
		}
	}
	return 0, false
}

func at(op *stream.Op, what string, err error) error {
	return fmt.Errorf("%s at byte %d of the stream: %s: %w", op.Kind, op.Offset, what, err)
}

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptero-rt/ptero/pte"
)

// valueJSON is an input, output or argument of a method as the file describes it.
type valueJSON struct {
	Index    int32   `json:"index"`
	Kind     string  `json:"kind"`
	DType    string  `json:"dtype,omitempty"`
	Sizes    []int32 `json:"sizes,omitempty"`
	DimOrder []int   `json:"dim_order,omitempty"`
	Dynamic  string  `json:"dynamic,omitempty"`
	Planned  bool    `json:"planned"`
	MemID    uint32  `json:"mem_id"`
	Offset   uint64  `json:"offset"`
	Bytes    int     `json:"bytes"`
	Value    any     `json:"value,omitempty"`
	Quant    string  `json:"quantisation,omitempty"`
}

func describeValue(m *pte.Plan, i int32, quant map[int32]string) valueJSON {
	v := &m.Values[i]
	d := valueJSON{Index: i, Kind: kindName(v.Kind), Quant: quant[i]}
	switch v.Kind {
	case pte.KindInt:
		d.Value = v.Int
	case pte.KindBool:
		d.Value = v.Bool
	case pte.KindDouble:
		d.Value = v.Double
	case pte.KindString:
		d.Value = v.List.String
	case pte.KindTensor:
		t := v.Tensor
		d.DType, d.Sizes = t.DType.String(), t.Sizes
		for _, o := range t.DimOrder {
			d.DimOrder = append(d.DimOrder, int(o))
		}
		if slices.IsSorted(d.DimOrder) {
			d.DimOrder = nil
		}
		switch t.Dynamism {
		case pte.DynamicBound:
			d.Dynamic = "bounded"
		case pte.DynamicUnbound:
			d.Dynamic = "unbounded"
		}
		d.Bytes = t.DType.Size()
		for _, s := range t.Sizes {
			d.Bytes *= int(s)
		}
		if t.Alloc != nil {
			d.Planned, d.MemID, d.Offset = true, t.Alloc.MemID, t.Alloc.Offset
		}
	}
	return d
}

func kindName(k pte.Kind) string {
	names := [...]string{"none", "null", "int", "bool", "double", "tensor", "string", "int list", "double list", "bool list", "tensor list", "optional tensor list"}
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("kind %d", k)
}

// quantisation finds the scale and zero point of inputs and outputs: those of the quantize call that reads an input, and
// of the dequantize call that writes an output.
func quantisation(m *pte.Plan) map[int32]string {
	found := map[int32]string{}
	for _, chain := range m.Chains {
		for _, in := range chain.Instructions {
			if in.Op != pte.CallKernel || len(in.Args) < 4 {
				continue
			}
			name := m.Operators[in.Target].Name
			scale, zero := m.Values[in.Args[1]], m.Values[in.Args[2]]
			if scale.Kind != pte.KindDouble || zero.Kind != pte.KindInt || !strings.Contains(name, "quantize_per_tensor") {
				continue
			}
			text := fmt.Sprintf("scale %g, zero point %d", scale.Double, zero.Int)
			if strings.Contains(name, "dequantize") {
				found[in.Args[len(in.Args)-1]] = text
			} else {
				found[in.Args[0]] = text
			}
		}
	}
	return found
}

func (v valueJSON) String() string {
	if v.Kind != "tensor" {
		if v.Value != nil {
			return fmt.Sprintf("%s %v", v.Kind, v.Value)
		}
		return v.Kind
	}
	s := fmt.Sprintf("%s %v", v.DType, v.Sizes)
	if v.DimOrder != nil {
		s += fmt.Sprintf(" in dim order %v", v.DimOrder)
	}
	if v.Dynamic != "" {
		s += ", " + v.Dynamic
	}
	if v.Planned {
		s += fmt.Sprintf(", mem_id %d at %s", v.MemID, group(v.Offset))
	} else {
		s += ", not planned"
	}
	if v.Quant != "" {
		s += ", " + v.Quant
	}
	return s
}

package pte

import "slices"

// Clone is a deep copy, to be changed and given to Rewrite. Only the bytes themselves (constants, state, segments, blobs)
// are still windows into the parsed input: replace such a slice, do not write into it.
func (p *Program) Clone() *Program {
	out := *p
	out.Constants = slices.Clone(p.Constants)
	out.State = slices.Clone(p.State)
	out.Segments = slices.Clone(p.Segments)
	out.NamedData = slices.Clone(p.NamedData)
	out.Unknown = slices.Clone(p.Unknown)
	out.Plans = slices.Clone(p.Plans)
	for i := range out.Plans {
		clonePlan(&out.Plans[i])
	}
	return &out
}

// clonePlan replaces what a shallow copy shares with its origin.
func clonePlan(p *Plan) {
	p.Values = slices.Clone(p.Values)
	for i := range p.Values {
		v := &p.Values[i]
		if v.List != nil {
			v.List = &List{v.List.String, slices.Clone(v.List.Items), slices.Clone(v.List.Doubles), slices.Clone(v.List.Bools)}
		}
		if v.Tensor != nil {
			t := *v.Tensor
			t.Sizes, t.DimOrder = slices.Clone(t.Sizes), slices.Clone(t.DimOrder)
			if t.Alloc != nil {
				a := *t.Alloc
				t.Alloc = &a
			}
			v.Tensor = &t
		}
	}
	p.Inputs, p.Outputs = slices.Clone(p.Inputs), slices.Clone(p.Outputs)
	p.Operators = slices.Clone(p.Operators)
	p.Delegates = slices.Clone(p.Delegates)
	for i := range p.Delegates {
		p.Delegates[i].Specs = slices.Clone(p.Delegates[i].Specs)
	}
	p.BufferBytes, p.BufferDevices = slices.Clone(p.BufferBytes), slices.Clone(p.BufferDevices)
	p.Chains = slices.Clone(p.Chains)
	for i := range p.Chains {
		c := &p.Chains[i]
		c.Inputs, c.Outputs = slices.Clone(c.Inputs), slices.Clone(c.Outputs)
		c.Instructions = slices.Clone(c.Instructions)
		for j := range c.Instructions {
			c.Instructions[j].Args = slices.Clone(c.Instructions[j].Args)
		}
		c.Stack = slices.Clone(c.Stack)
		for j := range c.Stack {
			c.Stack[j] = slices.Clone(c.Stack[j])
		}
	}
}

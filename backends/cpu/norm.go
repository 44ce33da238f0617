package cpu

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
)

// shortRun is the elements of a channel below which group normalisation gives each a weight of its own.
const shortRun = 12

// norms are the normalisations: each row of a tensor is shifted and scaled to mean 0 and variance 1, then by weights.
func norms() []executor.Op {
	layer := arg.Sign("aten::native_layer_norm.out", "input normalized_shape weight bias eps out0 out1 out2")
	group := arg.Sign("aten::native_group_norm.out", "input weight bias N C HxW group eps out0 out1 out2")
	fixed := arg.Sign("aten::_native_batch_norm_legit_no_training.out", "input weight bias running_mean running_var momentum eps out0 out1 out2")
	legit := arg.Sign("aten::_native_batch_norm_legit.out", "input weight bias running_mean running_var training momentum eps out save_mean save_invstd")
	batch := arg.Sign("aten::_native_batch_norm_legit.no_stats_out", "input weight bias training momentum eps out save_mean save_invstd")
	return []executor.Op{
		site.Planned(layer, func() site.Work { return &normCall{sig: layer, shape: (*normCall).layer} }),
		site.Planned(group, func() site.Work { return &normCall{sig: group, shape: (*normCall).group} }),
		site.Planned(batch, func() site.Work { return &normCall{sig: batch, shape: (*normCall).batch} }),
		site.Planned(fixed, func() site.Work { return &affineCall{sig: fixed, eps: 6} }),
		site.Planned(legit, func() site.Work { return &affineCall{sig: legit, eps: 7} }),
	}
}

// normCall is layer, group and batch normalisation. They differ in what a row is and which weight belongs to which of its
// elements; that is said once, as views of the tensors with other dimensions:
//
//	layer   [outer…, row…]            row: the last dimensions     one weight an element
//	group   [N, G, C/G, spatial…]     row: channels and spatial    one weight a channel
//	batch   [C, N, spatial…]          row: all but the channel     one weight a row
type normCall struct {
	sig   *arg.Signature
	shape func(c *normCall, args []*executor.Value) error

	in, out        *executor.Tensor
	mean, rstd     *executor.Tensor
	weights        [2]rowWeights // weight and bias
	eps            float64
	as             executor.DType
	updates        bool          // PyTorch updates the mean with one element after the other, not their sum: ±Inf makes it NaN
	views          [4]tensorView // in, out, mean, rstd as rows see them
	rows           walk.Rows
	rowDims        arg.Dims
	period         int // elements of a row that share a weight
	after          int // rows that share weights, one after the other
	perRow, groups int // weights of a row; rows after which weights start again
}

// tensorView is another way to see a tensor's elements; its bytes are the tensor's at the time of the run.
type tensorView struct {
	of   *executor.Tensor
	t    executor.Tensor
	dims [2][arg.MaxRank]int
}

// begin starts a view without dimensions.
func (v *tensorView) begin(of *executor.Tensor) {
	v.of = of
	v.t = executor.Tensor{DType: of.DType, Sizes: v.dims[0][:0], Strides: v.dims[1][:0], Data: of.Data}
}

func (v *tensorView) dim(size, stride int) {
	v.t.Sizes, v.t.Strides = append(v.t.Sizes, size), append(v.t.Strides, stride)
}

// refresh takes the tensor's present bytes.
func (v *tensorView) refresh() { v.t.Data = v.of.Data }

func (c *normCall) Needs() []memory.Need {
	needs := c.rows.Needs()
	if n := len(c.weights[0].own) + len(c.weights[1].own); n > 0 {
		needs = append(needs, memory.Need{Role: "weights", Place: memory.Resident, Bytes: uint64(n)})
	}
	return needs
}

func (c *normCall) BoundNeeds(args []*executor.Value) []memory.Need {
	n := elementsAt(args[0])
	return walk.RowNeeds(n, n, 3)
}

func (c *normCall) Plan(args []*executor.Value) error {
	sig, r := c.sig, c.sig.Read(args)
	n := r.Out()
	c.in, c.out, c.mean, c.rstd = r.Of(0, arg.Floats), r.Of(n-2, arg.Floats), r.Of(n-1, arg.Floats), r.Of(n, arg.Floats)
	if c.eps = r.Double(n - 3); r.Err != nil {
		return r.Err
	}
	if r.Resize(n-2, c.out, c.in.Sizes...); r.Err != nil {
		return r.Err
	}
	c.as, c.after = arg.Compute(c.in.DType), 1
	if err := c.shape(c, args); err != nil {
		return err
	}
	c.rows.Kernel, c.rows.Beside = c, nil
	if statistic(c.mean) == c.as && statistic(c.rstd) == c.as && (c.perRow == 1 && c.after == 1 || c.period == 1 && c.groups == 1) {
		c.rows.Beside, c.rows.Narrow = c, true
	}
	v := &c.views
	return fault.Under(sig.Op, c.rows.Plan(&v[0].t, c.rowDims, c.as,
		walk.Out{Tensor: &v[1].t, As: c.as}, walk.Out{Tensor: &v[2].t, As: statistic(c.mean)}, walk.Out{Tensor: &v[3].t, As: statistic(c.rstd)}))
}

// readWeights reads the weights at positions i and i+1, each of n elements or absent; each is for so many elements of a
// row, which get their own.
func (c *normCall) readWeights(r *arg.Reader, i, n, each int) error {
	for k := range c.weights {
		t := r.Optional(i + k)
		if t != nil {
			if r.Of(i+k, arg.Floats); t.NumElements() != n {
				r.Bad(i+k, fmt.Sprintf("%d elements", n), fmt.Sprint(t.NumElements()))
			}
		}
		if r.Err != nil {
			return r.Err
		}
		c.weights[k].plan(t, c.as, n, each)
	}
	return nil
}

func (c *normCall) resizeStatistics(r *arg.Reader, sizes ...int) error {
	r.Resize(r.Out()-1, c.mean, sizes...)
	r.Resize(r.Out(), c.rstd, sizes...)
	return r.Err
}

func (c *normCall) layer(args []*executor.Value) error {
	sig, in, r := c.sig, c.in, c.sig.Read(args)
	var buf [arg.MaxRank]int
	shape := r.Ints(1, buf[:0])
	if r.Err != nil {
		return r.Err
	}
	lead := in.Rank() - len(shape)
	if lead < 0 || len(shape) == 0 {
		return sig.Bad(1, fmt.Sprintf("1 to %d sizes", in.Rank()), fmt.Sprint(len(shape)))
	}
	c.updates = true
	n := 1
	for d, s := range shape {
		if in.Sizes[lead+d] != s {
			return sig.Bad(1, arg.List(in.Sizes[lead:]), arg.List(shape))
		}
		n *= s
	}
	if err := c.readWeights(&r, 2, n, 1); err != nil {
		return err
	}
	var stats [arg.MaxRank]int
	for d, s := range in.Sizes {
		if stats[d] = s; d >= lead {
			stats[d] = 1
		}
	}
	if err := c.resizeStatistics(&r, stats[:in.Rank()]...); err != nil {
		return err
	}
	for k, t := range [4]*executor.Tensor{c.in, c.out, c.mean, c.rstd} {
		c.views[k].begin(t)
		for d := range t.Sizes {
			c.views[k].dim(t.Sizes[d], t.Strides[d])
		}
	}
	c.rowDims = arg.Dims(1<<uint(in.Rank()) - 1<<uint(lead))
	c.period, c.perRow, c.groups = 1, n, 1
	if c.weights[0].t == nil && c.weights[1].t == nil {
		c.period, c.perRow = max(n, 1), 1
	}
	complete(&c.weights[0], &c.weights[1], c.as)
	return nil
}

func (c *normCall) group(args []*executor.Value) error {
	sig, in := c.sig, c.in
	if in.Rank() < 2 {
		return sig.Bad(0, "at least 2 dimensions", fmt.Sprint(in.Rank()))
	}
	n, channels, r := in.Sizes[0], in.Sizes[1], sig.Read(args)
	r.IntIn(3, int64(n), int64(n))
	r.IntIn(4, int64(channels), int64(channels))
	groups := r.IntIn(6, 1, int64(max(channels, 1)))
	if r.Err != nil {
		return r.Err
	}
	if channels%groups != 0 {
		return sig.Bad(6, fmt.Sprintf("a divisor of %d channels", channels), fmt.Sprint(groups))
	}
	spatial := 1
	for _, s := range in.Sizes[2:] {
		spatial *= s
	}
	// Channels-last ones it adds up.
	c.updates = in.Strides[1] != 1 || channels == 1 || spatial == 1
	copies := 1
	if spatial < shortRun {
		copies = max(spatial, 1)
	}
	if err := c.readWeights(&r, 1, channels, copies); err != nil {
		return err
	}
	complete(&c.weights[0], &c.weights[1], c.as)
	if err := c.resizeStatistics(&r, n, groups); err != nil {
		return err
	}
	each := channels / groups
	for k, t := range [4]*executor.Tensor{c.in, c.out, c.mean, c.rstd} {
		v := &c.views[k]
		v.begin(t)
		v.dim(n, t.Strides[0])
		if k < 2 {
			v.dim(groups, each*t.Strides[1])
			v.dim(each, t.Strides[1])
		} else {
			v.dim(groups, t.Strides[1])
			v.dim(1, 0)
		}
		for d := 2; d < in.Rank(); d++ {
			if k < 2 {
				v.dim(t.Sizes[d], t.Strides[d])
			} else {
				v.dim(1, 0)
			}
		}
	}
	c.rowDims = arg.Dims(1<<uint(in.Rank()+1) - 4)
	c.period, c.perRow, c.groups = spatial/copies, each*copies, groups
	if c.out.Strides[0] < c.out.Strides[1] {
		c.after = n // the output keeps samples inside channels
	}
	return nil
}

func (c *normCall) batch(args []*executor.Value) error {
	in, r := c.in, c.sig.Read(args)
	if !r.Bool(3) {
		r.Bad(3, "true, as there are no running statistics", "false")
	}
	if r.Err != nil {
		return r.Err
	}
	if in.Rank() < 2 {
		return c.sig.Bad(0, "at least 2 dimensions", fmt.Sprint(in.Rank()))
	}
	channels := in.Sizes[1]
	if err := c.readWeights(&r, 1, channels, 1); err != nil {
		return err
	}
	complete(&c.weights[0], &c.weights[1], c.as)
	if err := c.resizeStatistics(&r, channels); err != nil {
		return err
	}
	for k, t := range [4]*executor.Tensor{c.in, c.out, c.mean, c.rstd} {
		v := &c.views[k]
		v.begin(t)
		for d := range in.Sizes {
			switch {
			case k < 2:
				v.dim(t.Sizes[d], t.Strides[d])
			case d == 1:
				v.dim(channels, t.Strides[0])
			default:
				v.dim(1, 0)
			}
		}
	}
	c.rowDims = arg.Dims(1<<uint(in.Rank())-1) &^ 2
	c.period, c.perRow, c.groups = max(1, in.NumElements()/max(channels, 1)), 1, channels
	return nil
}

func (c *normCall) Run(s *executor.Scope) error {
	for k := range c.views {
		c.views[k].refresh()
	}
	for k := range c.weights {
		c.weights[k].refresh()
	}
	err := c.rows.Run(s)
	if c.updates {
		withoutInf(c.mean)
	}
	return err
}

// withoutInf replaces ±Inf by NaN.
func withoutInf(t *executor.Tensor) {
	switch t.DType {
	case arg.F16:
		nanForInf(executor.Slice[uint16](t), 0x7c00)
	case arg.BF16:
		nanForInf(executor.Slice[uint16](t), 0x7f80)
	case arg.F32:
		nanForInf(executor.Slice[uint32](t), 0x7f800000)
	default:
		nanForInf(executor.Slice[uint64](t), 0x7ff0000000000000)
	}
}

func nanForInf[B uint16 | uint32 | uint64](bits []B, inf B) {
	for i, x := range bits {
		if x<<1 == inf<<1 { // whatever the sign
			bits[i] = inf | inf>>1
		}
	}
}

// Row is walk.RowKernel.
func (c *normCall) Row(_, row int, outs *[3][]byte, in []byte) {
	first := row / c.after % c.groups * c.perRow
	var mean, rstd float64
	if c.as == arg.F64 {
		w, b := weightsOf[float64](&c.weights[0], first, c.perRow), weightsOf[float64](&c.weights[1], first, c.perRow)
		mean, rstd = normRow(outs[0], in, w, b, c.period, c.eps)
	} else {
		w, b := weightsOf[float32](&c.weights[0], first, c.perRow), weightsOf[float32](&c.weights[1], first, c.perRow)
		mean, rstd = normRow(outs[0], in, w, b, c.period, c.eps)
	}
	c.put(outs[1], c.mean, mean)
	c.put(outs[2], c.rstd, rstd)
}

// statistic is the type in which a kernel writes a row's mean or deviation.
func statistic(t *executor.Tensor) executor.DType {
	if t.DType == arg.F64 {
		return arg.F64
	}
	return arg.F32
}

// Rows is walk.RowsKernel.
func (c *normCall) Rows(part, row, rows int, outs *[3][]byte, in []byte) {
	w, b := &c.weights[0], &c.weights[1]
	bare, weighted := w.seen == nil && b.seen == nil, w.seen != nil && b.seen != nil
	each, channels := weighted && c.period == 1, weighted && c.perRow == 1 && c.after == 1 && c.groups > 1
	switch {
	case statistic(c.mean) != c.as || statistic(c.rstd) != c.as || !bare && !each && !channels:
	case c.as == arg.F64:
		normRows(c, row, rows, outs, in, each, channels, fmath.StandardiseDoubleRows, fmath.StandardiseDoubleChannels)
		return
	default:
		normRows(c, row, rows, outs, in, each, channels, fmath.StandardiseRows, fmath.StandardiseChannels)
		return
	}
	var single [3][]byte
	for i := range rows {
		for k, all := range outs {
			size := len(all) / rows
			single[k] = all[i*size:][:size]
		}
		size := len(in) / rows
		c.Row(part, row+i, &single, in[i*size:][:size])
	}
}

func (c *normCall) put(dst []byte, t *executor.Tensor, x float64) {
	if statistic(t) == arg.F32 {
		executor.SliceBytes[float32](dst)[0] = float32(x)
		return
	}
	executor.SliceBytes[float64](dst)[0] = x
}

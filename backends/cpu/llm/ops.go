// Package llm holds the operators that ExecuTorch adds for language models: attention over a key-value cache, cache
// updates, the Hadamard transform and the gated delta rule.
//
// Caches are [batch, positions, heads, width] unless an argument says otherwise; a call appends at start_pos and looks
// back from there. Sources: pytorch/executorch extension/llm/custom_ops at cff6f4dd; results are those of the same
// arithmetic in eager PyTorch.
package llm

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// Ops gives all operators of the package.
func Ops() []executor.Op {
	return []executor.Op{
		customSDPA(),
		quantizedSDPA(),
		cachedSDPA(),
		updateCache(),
		updateCacheAt(),
		experts(),
		hadamard(),
		deltaRule("llama::gated_delta_rule.out"),
		deltaRule("llama::channelwise_gated_delta_rule.out"), // its name before decay could be one number a head
	}
}

// rank4 reads a tensor of four dimensions.
func rank4(r *arg.Reader, i int) *executor.Tensor {
	t := r.Tensor(i)
	r.Rank(i, t, 4)
	return t
}

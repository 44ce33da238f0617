package backendtest_test

import (
	"testing"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/executor/backendtest"
	"github.com/ptero-rt/ptero/pte"
)

func TestSum(t *testing.T) {
	tensor := func(xs ...byte) *executor.Tensor { return executor.NewTensor(pte.Byte, []int{len(xs)}, xs) }
	backendtest.Run(t, backendtest.Sum{},
		backendtest.Case{Name: "one", Blob: executor.Blob{Bytes: backendtest.Blob(1, 1, 4, 0)}, Inputs: []*executor.Tensor{tensor(1, 2, 3)}, Outputs: []*executor.Tensor{tensor(1, 2, 3)}},
		backendtest.Case{Name: "fast", Blob: executor.Blob{Bytes: backendtest.Blob(2, 3, 16, 32)},
			Inputs:  []*executor.Tensor{tensor(1, 2, 3), tensor(4, 5, 255)},
			Outputs: []*executor.Tensor{tensor(5, 7, 2), tensor(5, 7, 2), tensor(5, 7, 2)}},
	)
}

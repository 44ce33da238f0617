package executor_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/executor"
)

func TestRunAdds(t *testing.T) {
	m := bind(t, host(t), addProgram(t), "", executor.Config{})
	require.Equal(t, []float32{2, 4, 6, 8}, run(t, m, floats(1, 2, 3, 4)))
	require.Equal(t, []float32{11, 12, 13, 14}, run(t, m, floats(10, 10, 10, 10)))
	require.NoError(t, m.Run(context.Background()))
}

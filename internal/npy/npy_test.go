package npy

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRoundTrip(t *testing.T) {
	for _, a := range []Array{
		{Type: "f4", Shape: []int{2, 3}, Data: make([]byte, 24)},
		{Type: "b1", Shape: []int{5}, Data: []byte{1, 0, 1, 1, 0}},
		{Type: "i8", Data: []byte{1, 2, 3, 4, 5, 6, 7, 8}},
		{Type: "u2", Shape: []int{0, 4}, Data: []byte{}},
	} {
		b := a.Encode()
		require.Zero(t, (len(b)-len(a.Data))%64)
		got, err := Decode(b)
		require.NoError(t, err)
		require.Equal(t, &a, got)
	}
}

func TestOrders(t *testing.T) {
	file := func(head string, data ...byte) []byte {
		b := append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), byte(len(head)>>8))
		return append(append(b, head...), data...)
	}
	a, err := Decode(file("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }\n", 1, 4, 2, 5, 3, 6))
	require.NoError(t, err)
	require.Equal(t, []byte{1, 2, 3, 4, 5, 6}, a.Data)
	a, err = Decode(file("{'descr': '>i2', 'fortran_order': False, 'shape': (2,), }\n", 0, 1, 0, 2))
	require.NoError(t, err)
	require.Equal(t, []byte{1, 0, 2, 0}, a.Data)
}

func FuzzDecode(f *testing.F) {
	f.Add((&Array{Type: "f4", Shape: []int{2}, Data: make([]byte, 8)}).Encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		if a, err := Decode(b); err == nil {
			_, err := Decode(a.Encode())
			require.NoError(t, err)
		}
	})
}

//go:build !amd64

package fft

// fastest: other machines have the portable kernels alone.
func fastest[T Float]() (several, alone *kernels[T]) { return nil, nil }

//go:build !amd64

package sim

func newVector() vector { return genericVector() }

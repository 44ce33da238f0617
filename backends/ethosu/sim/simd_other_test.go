//go:build !amd64

package sim

import "testing"

func gemmOther(*testing.T, []int32, []int16, *[tilePixels]int, []int, int, []int16) {}

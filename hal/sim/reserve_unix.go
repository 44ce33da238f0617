//go:build unix && !linux

package sim

const noReserve = 0

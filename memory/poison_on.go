//go:build memdebug

package memory

const poisonByDefault = true

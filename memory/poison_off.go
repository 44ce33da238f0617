//go:build !memdebug

package memory

// poisonByDefault is off; build with the tag memdebug to have every space poison.
const poisonByDefault = false

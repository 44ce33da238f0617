//go:build !amd64

package plane

// Other machines have the portable loops alone.

func vectors() bool { return false }

func copyString([]byte, []byte, bool) int { return 0 }

func vectorRuns([]byte, int, int, []byte, int, int, int, int) bool { return false }

func vectorSpread([]byte, int, []byte, int, int, int, int, int) bool { return false }

func vectorFetch([]byte, int, int, []byte, []int64, int, int) bool { return false }

func vectorStore([]byte, []int64, int, []byte, int, int, int) bool { return false }

func turnBlocks([]byte, int, int, []byte, int, int, int, int, int) int { return 0 }

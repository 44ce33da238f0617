package walk

// grain is the number of elements that are worth handing to another core.
const grain = 1 << 15

// MaxParts is the largest number of parts that a call is cut into.
const MaxParts = 16

// Parts is the number of parts that a call over n elements of work is cut into: a function of n alone, so that results
// do not depend on the number of workers.
func Parts(n int) int { return max(1, min(MaxParts, n/grain)) }

// Part gives the bounds of one of parts nearly equal pieces of n, each starting at a multiple of unit.
func Part(n, parts, part, unit int) (lo, hi int) {
	if parts == 1 { // most calls: nothing to divide
		return 0, n
	}
	units := (n + unit - 1) / unit
	return min(n, units*part/parts*unit), min(n, units*(part+1)/parts*unit)
}

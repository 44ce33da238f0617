// Package memory carves a board's pools for methods: it lays demands out, says whether they fit and who owns which bytes,
// and lends the bytes for runs. It knows sizes and lifetimes, not programs.
//
//	Demand   what one linked method wants: arenas, needs of calls, what is resident     (from executor)
//	   │ Fit           arithmetic only; reports every violation at once
//	   ▼
//	Layout   where each block would lie; Report for people and scripts, Boxes for pictures
//	   │ Take          entered into the Space, the one ledger of a board
//	   ▼
//	Holding  the bytes of one bound method; Enter and Leave bracket each run
//
// # How long memory is held
//
// Program, constants and persistent state stay where they are for a method's life. The rest (activations, planned
// scratch, the temp arena, fast scratch) is held by Strategy:
//
//	           idle                           running
//	Static     its own bytes                  its own bytes
//	Dynamic    nothing                        a lease of all pools at once, in order of arrival
//	Shared     one region for all members     the region, one member at a time
//
// An arena in which state lies between transient bytes is cut at the state's edges, so that idle methods keep exactly
// their state. Leases come back at the addresses of the last run where those are free; where not, Generation changes.
//
// Outputs lie in this memory. Leave(Pinned) keeps them until Unpin or the next run; Leave(Quarantined) keeps everything
// that a device may still write to until Recover.
package memory

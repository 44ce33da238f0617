// Package bench measures: each operator on about a million elements, beside a copy of the same bytes and, where it is
// there, ExecuTorch on the same program; each kind of instruction; the phases before the first run. It has no code of its own outside tests:
//
//	make bench                                        every operator, one thread
//	go test -run '^$' -bench 'Ops/aten::(mm|bmm)' ./bench
//	go test -run '^$' -bench Variants ./bench         other shapes, layouts and dtypes
//	go test -run '^$' -bench 'Instructions|Phases' ./bench   one instruction of each kind; parse, link, fit, bind
//	PTERO_PEER_RUNNER=…/peer_runner make bench        ExecuTorch beside it; PTERO_PEER_KEEP=DIR keeps the programs
//
// The columns are the least CPU time of a run, the bytes that an operator reads and writes in that time, that time relative
// to copying as many bytes, and ExecuTorch's least with the quotient of the two (above 1: ptero is faster).
package bench

// Package pte reads and writes the files that ExecuTorch's exporter makes: programs (`.pte`), bundles of a program with test
// cases (`.bpte`), and weights kept apart (`.ptd`).
//
//	bytes ──▶ container ──▶ flatverify ──▶ decoder ──▶ check ──▶ Program ──▶ Clone, change ──▶ Rewrite ──▶ bytes
//	          header,       every offset   plain Go    indices,
//	          segments      in bounds      data        kinds, ranges
//
// A `.pte` file is a flatbuffer, optionally followed by segments of raw bytes which an extended header locates:
//
//	┌──────┬──────┬─────────────────┬────────────┬─────┬───────────┬───────┬──────────┬────────────┐
//	│ root │ ET12 │ extended header │ flatbuffer │ pad │ constants │ state │ payloads │ named data │
//	└──────┴──────┴─────────────────┴────────────┴─────┴───────────┴───────┴──────────┴────────────┘
//	                                                   └ segment base
//
// Parse decodes everything once; nothing else in ptero looks at the file's tables. What a program's own contents show to be
// wrong is found here, all of it in one go, so that later phases may index without asking. There is no quicker mode that
// trusts the file. Bytes that may be large (constants, initial state, payloads, named data) are never copied: they are
// windows into the input.
//
// Fields that a newer exporter wrote and this package does not know are listed in Program.Unknown; they never prevent
// reading, but Rewrite refuses to drop them.
//
// Layouts and rules come from pytorch/executorch at cff6f4dd: schema/program.fbs, schema/extended_header.cpp,
// runtime/executor/program.cpp, program_validation.cpp, tensor_parser_portable.cpp and method.cpp,
// exir/_serialize/_program.py, devtools/bundled_program/schema and extension/flat_tensor/serialize.
package pte

// Package lint says whether an Ethos-U command stream would be taken by the kernel driver, and whether it is sound.
//
//	Check ─┬─▶ Verdict    what mainline Linux' validator (drivers/accel/ethosu) says, for U65 and U85
//	       └─▶ Findings   what is wrong with the stream itself, on every product:
//	                      unset registers, bytes beyond regions, missing waits, tables outside the table memory, …
//
// The two are independent: the validator bounds memory from registers in its own coarse way and refuses whole kinds of
// operations; the findings come from the decoded operations of package stream.
package lint

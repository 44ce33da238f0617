// Package flatverify checks that a flatbuffer is well formed before anything reads it.
//
// The Go flatbuffers library trusts every offset it meets. This package walks the whole buffer along a schema first, and
// proves that each table, vtable, vector, string and union lies inside the buffer, so that generated accessors can read it
// without a bounds failure.
//
//	root offset ─▶ table ─┬─ vtable ─▶ which fields are present, and where
//	                      ├─ scalar                inside the table
//	                      ├─ string, vector        inside the buffer
//	                      └─ table, union          inside the buffer, and so on down
//
// Work and memory are bounded by the size of the buffer: a buffer in which many places point at the same table, so that
// walking it would take far more steps than it has bytes, is refused. Fields that the schema does not have are reported by
// path, never followed.
package flatverify

// Kind is what a field holds.
type Kind uint8

// Kinds of field. Vectors of strings and of unions do not occur in the formats at hand.
const (
	Scalar  Kind = iota // Size bytes inside the table
	Scalars             // vector of Size bytes each
	String
	Child  // a table
	Tables // vector of tables
	Union  // a table picked by the field before it
)

// Table describes one table of a schema: its fields in wire order, so that a field's place in Fields is its number.
type Table struct {
	Name   string
	Label  string // how a path calls it as a member of a union
	Fields []Field
}

// Field describes one field of a table. A union takes two: the tag, a Scalar of one byte, and the Union itself.
type Field struct {
	Name  string
	As    string // how a path calls it; Name where empty
	Kind  Kind
	Size  int      // bytes of one scalar
	Table *Table   // of Child and Tables
	Union []*Table // of Union, by tag; nil for a tag without a table
}

// element is the bytes of an element where the field is a vector.
func (f *Field) element() int {
	switch f.Kind {
	case Scalars:
		return f.Size
	case Tables:
		return 4 // an offset
	}
	return 1
}

func (f *Field) label() string {
	if f.As != "" {
		return f.As
	}
	return f.Name
}

package pack

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// maxCSVErrors bounds how many problems of a file are reported.
const maxCSVErrors = 20

// ReadCSV reads bare buffers: a header with the columns id, lower, upper and size, in any order and case, then a row a
// buffer, alive in [lower, upper). These are the rows of MiniMalloc's benchmarks. A column alignment may be there too;
// any other is an error. Ids must be unique, since offsets are reported by them.
//
// Errors name line and column (of the text, in bytes, from 1); the first twenty are joined.
func ReadCSV(r io.Reader) ([]Buffer, error) {
	c := csv.NewReader(r)
	c.FieldsPerRecord = -1
	c.TrimLeadingSpace = true
	header, err := c.Read()
	if err == io.EOF {
		return nil, errors.New("line 1: want a header with the columns id, lower, upper, size; the file is empty")
	}
	if err != nil {
		return nil, err
	}
	columns, err := csvColumns(c, header)
	if err != nil {
		return nil, err
	}
	t := csvRows{reader: c, columns: columns, lines: map[string]int{}}
	for len(t.errs) < maxCSVErrors {
		row, err := c.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.errs = append(t.errs, err) // a *csv.ParseError, which names line and column
			break
		}
		t.add(row)
	}
	if len(t.errs) > 0 {
		return nil, errors.Join(t.errs...)
	}
	return t.buffers, nil
}

// csvNames are the columns that must be there, then the optional one.
var csvNames = []string{"id", "lower", "upper", "size", "alignment"}

// csvColumns maps names to indices of fields.
func csvColumns(c *csv.Reader, header []string) (map[string]int, error) {
	columns := map[string]int{}
	var errs []error
	for k, field := range header {
		name := strings.ToLower(strings.TrimSpace(strings.TrimPrefix(field, "\ufeff")))
		line, column := c.FieldPos(k)
		known := false
		for _, n := range csvNames {
			known = known || n == name
		}
		_, twice := columns[name]
		switch {
		case !known:
			errs = append(errs, fmt.Errorf("line %d, column %d: header %q: want one of %s", line, column, field, strings.Join(csvNames, ", ")))
		case twice:
			errs = append(errs, fmt.Errorf("line %d, column %d: header %q: there already is one", line, column, field))
		}
		columns[name] = k
	}
	for _, n := range csvNames[:4] {
		if _, ok := columns[n]; !ok {
			errs = append(errs, fmt.Errorf("line 1: want a column %q", n))
		}
	}
	return columns, errors.Join(errs...)
}

type csvRows struct {
	reader  *csv.Reader
	columns map[string]int
	lines   map[string]int // of ids
	buffers []Buffer
	errs    []error
}

// add reads one row.
func (t *csvRows) add(row []string) {
	line, _ := t.reader.FieldPos(0)
	if len(row) != len(t.columns) {
		t.errs = append(t.errs, fmt.Errorf("line %d: want %d fields, have %d", line, len(t.columns), len(row)))
		return
	}
	failed := len(t.errs)
	id := strings.TrimSpace(row[t.columns["id"]])
	if was, ok := t.lines[id]; ok {
		t.fail("id", "%q is on line %d too", id, was)
	}
	t.lines[id] = line
	lower, upper := t.number(row, "lower"), t.number(row, "upper")
	size, align := t.number(row, "size"), int64(1)
	if _, ok := t.columns["alignment"]; ok {
		align = t.number(row, "alignment")
	}
	if len(t.errs) > failed {
		return
	}
	if lower >= upper {
		t.fail("upper", "%d: want more than lower, %d", upper, lower)
	}
	if size < 0 || size > maxBytes {
		t.fail("size", "%d: want 0 to %d", size, uint64(maxBytes))
	}
	if align < 1 || align > maxAlign || align&(align-1) != 0 {
		t.fail("alignment", "%d: want a power of two up to %d", align, maxAlign)
	}
	t.buffers = append(t.buffers, Buffer{ID: id, Live: []Interval{{lower, upper}}, Size: uint64(size), Align: uint64(align)})
}

// number reads an integer field.
func (t *csvRows) number(row []string, name string) int64 {
	field := strings.TrimSpace(row[t.columns[name]])
	n, err := strconv.ParseInt(field, 10, 64)
	if err != nil {
		t.fail(name, "%q: want an integer of 64 bits", field)
	}
	return n
}

// fail reports a field of the current row.
func (t *csvRows) fail(name, format string, args ...any) {
	line, column := t.reader.FieldPos(t.columns[name])
	t.errs = append(t.errs, fmt.Errorf("line %d, column %d: %s %s", line, column, name, fmt.Sprintf(format, args...)))
}

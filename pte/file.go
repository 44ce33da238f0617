package pte

import "github.com/ptero-rt/ptero/internal/fault"

// File is a file of one of ExecuTorch's formats, mapped into memory where the system can. What is parsed from it refers to
// its bytes: Close it last, when nothing that came from it is in use. Methods other than Close may be called by several
// goroutines.
type File struct {
	Name  string
	Kind  FileKind
	Bytes []byte // read-only

	unmap func() error
}

// Open maps a file and tells its kind; a file of none of the formats is opened as well, so that its parser can say why. The
// file must not change or shrink while it is open: what was checked would not be what is read.
func Open(name string) (*File, error) {
	bytes, unmap, err := mapFile(name)
	if err != nil {
		return nil, &fault.Error{Code: fault.AccessFailed, Err: err}
	}
	return &File{Name: name, Kind: Sniff(bytes), Bytes: bytes, unmap: unmap}, nil
}

// Close gives the mapping back. Bytes, and every program, constant and blob that came from the file, are invalid afterwards.
func (f *File) Close() error {
	if f.unmap == nil {
		return nil
	}
	unmap := f.unmap
	f.unmap, f.Bytes = nil, nil
	return unmap()
}

// Program parses the program: of a `.pte` file, or the one inside a `.bpte` file.
func (f *File) Program() (*Program, error) {
	if f.Kind != BundleFile {
		return Parse(f.Bytes)
	}
	b, err := ParseBundle(f.Bytes)
	if err != nil {
		return nil, err
	}
	p, err := Parse(b.Program)
	return p, fault.Under("program", err)
}

// Bundle parses a `.bpte` file.
func (f *File) Bundle() (*Bundle, error) { return ParseBundle(f.Bytes) }

// TensorData parses a `.ptd` file.
func (f *File) TensorData() (*TensorData, error) { return ParseTensorData(f.Bytes) }

package walk

import "github.com/ptero-rt/ptero/executor"

// passage is a path from one tensor to another, which elements go along in parts and are converted on where types differ.
type passage struct {
	out, in *executor.Tensor
	cast    Cast
	n       int // elements
	parts   int
	one     bool // all elements lie together on both sides, and one part moves them
	path    Path
}

// split plans parts of the path.
func (p *passage) split(parts int) {
	p.n, p.parts = p.path.N(), parts
	p.one = parts == 1 && p.path.Single()
}

// run does all parts, as one where nobody shares them.
func (p *passage) run(s *executor.Scope) {
	switch {
	case p.n == 0:
	case p.parts > 1 && s.Workers() > 1:
		s.Parallel(p.parts, p)
	case p.one && p.cast.Same(): // loops select and cast single elements: what the others do takes longer than that
		size := p.cast.To.Size()
		copy(p.out.Data[p.path.To*size:][:p.n*size], p.in.Data[p.path.From*size:][:p.n*size])
	case p.one:
		p.cast.Load(p.out.Data[p.path.To*p.cast.To.Size():], p.in.Data, p.path.From, 1, p.n)
	case p.cast.Same():
		p.path.Move(p.out.Data, p.in.Data, 1, 0)
	default:
		p.path.Convert(p.cast.Load, p.out.Data, p.in.Data, 1, 0, nil)
	}
}

// Do does one part; it is called by the worker pool.
func (p *passage) Do(part int) {
	if p.cast.Same() {
		p.path.Move(p.out.Data, p.in.Data, p.parts, part)
	} else {
		p.path.Convert(p.cast.Load, p.out.Data, p.in.Data, p.parts, part, nil)
	}
}

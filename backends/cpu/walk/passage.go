package walk

import "github.com/ptero-rt/ptero/executor"

// passage is a path from one tensor to another, which elements go along in parts and are converted on where types differ.
type passage struct {
	out, in *executor.Tensor
	cast    Cast
	parts   int
	path    Path
}

// run does all parts, in one where nobody shares them.
func (p *passage) run(s *executor.Scope) {
	if p.parts == 1 || s.Workers() == 1 {
		p.part(1, 0)
		return
	}
	s.Parallel(p.parts, p)
}

// Do does one part; it is called by the worker pool.
func (p *passage) Do(part int) { p.part(p.parts, part) }

func (p *passage) part(parts, part int) {
	if p.cast.Same() {
		p.path.Move(p.out.Data, p.in.Data, parts, part)
		return
	}
	p.path.Convert(p.cast.Load, p.out.Data, p.in.Data, parts, part, nil)
}

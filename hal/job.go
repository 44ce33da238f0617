package hal

// Job is the memory that one device job touches, for cache maintenance around it. A backend keeps one Job per call
// site and fills its slices again before each run, so that maintenance allocates nothing.
//
//	CPU writes inputs ─▶ Before ─▶ the device runs ─▶ After ─▶ CPU reads outputs
//	                     clean Constants (once), Inputs
//	                     clean+invalidate Scratch, Outputs
//	                                                  invalidate Outputs
//
// All of the scratch is cleaned although the device does not read what the CPU left there: planned scratch reuses the
// bytes of dead tensors, and one of their dirty lines, evicted in the middle of the job, would overwrite what the device
// wrote. Outputs are invalidated after the job although they were before: the CPU may have prefetched them meanwhile.
// Between Before and After the CPU must not touch a line of Scratch or Outputs; lines that these share with other
// data stay correct because Before writes them back and nothing is dropped that was not written back.
type Job struct {
	Constants []Region // command stream, weights: cleaned by the first Before only
	Inputs    []Region // written by the CPU, read by the device; may lie inside Scratch
	Scratch   []Region // read and written by the device
	Outputs   []Region // written by the device, read by the CPU; may lie inside Scratch

	cleaned bool
}

// Before is the maintenance between the CPU's last write and the start of the device.
func (j *Job) Before(b Board) error {
	var err error
	if !j.cleaned {
		err = syncAll(b, j.Constants, Clean)
		j.cleaned = err == nil
	}
	if err == nil {
		err = j.syncOutside(b, j.Inputs, Clean)
	}
	if err == nil {
		err = syncAll(b, j.Scratch, CleanInvalidate)
	}
	if err == nil {
		err = j.syncOutside(b, j.Outputs, CleanInvalidate)
	}
	return err
}

// After is the maintenance between the device's end and the CPU's first read.
func (j *Job) After(b Board) error { return syncAll(b, j.Outputs, Invalidate) }

// Moved says that the regions are others than in the last run, so that constants are cleaned again.
func (j *Job) Moved() { j.cleaned = false }

// syncOutside is syncAll without what lies inside the scratch, which is maintained as a whole.
func (j *Job) syncOutside(b Board, list []Region, d Direction) error {
	for i := range list {
		if !j.inScratch(&list[i]) {
			if err := syncAll(b, list[i:i+1], d); err != nil {
				return err
			}
		}
	}
	return nil
}

func (j *Job) inScratch(r *Region) bool {
	for i := range j.Scratch {
		s := &j.Scratch[i]
		if s.Pool == r.Pool && s.Addr <= r.Addr && r.Addr+uint64(len(r.Bytes)) <= s.Addr+uint64(len(s.Bytes)) {
			return true
		}
	}
	return false
}

func syncAll(b Board, list []Region, d Direction) error {
	for i := range list {
		if len(list[i].Bytes) == 0 {
			continue
		}
		if err := b.Sync(list[i], d); err != nil {
			return err
		}
	}
	return nil
}

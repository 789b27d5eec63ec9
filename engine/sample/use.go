package sample

// Use is what a process tree used in the time of one sample. NaN is not known.
type Use struct {
	Name string  // of the member; empty: kvscen itself
	CPU  float64 // % of one core
	RSS  float64 // bytes
}

// uses takes out of a row what a person watches. Members in our own process are
// left out: what they use is kvscen's.
func (s *Sampler) uses(row []float64) []Use {
	list := []Use{useOf("", row)}
	if s.cfg.InProcess {
		return list
	}
	for i, m := range s.members {
		list = append(list, useOf(m.Name, row[(i+1)*len(processFigures):]))
	}
	return list
}

func useOf(name string, figures []float64) Use {
	return Use{Name: name, CPU: figures[figureCPU], RSS: figures[figureRSS]}
}

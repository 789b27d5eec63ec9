package plan

// Held is the payload, in bytes, that the cluster of a run holds after each of its
// groups. It counts only what is certain: different keys written in sequence since
// the cluster was new.
func (p *Plan) Held(run *Run) []float64 {
	written := map[int]uint64{} // keys by index in the plan
	entry := map[int]float64{}  // bytes of the smallest entry
	var held []float64
	for _, g := range run.Groups {
		for _, ph := range g.Phases {
			if ph.Fresh {
				clear(written)
			}
			for _, o := range ph.Ops {
				if o.Value == nil || o.Draw.Order != OrderSequential || o.TTL > 0 {
					continue
				}
				keys := p.Keys[o.Draw.Keys]
				written[o.Draw.Keys] = min(keys.Count, written[o.Draw.Keys]+uint64(float64(ph.Requests)*o.Weight))
				bytes := float64(keys.Bytes()) + o.Value.Size.Mean()
				if least, ok := entry[o.Draw.Keys]; !ok || bytes < least {
					entry[o.Draw.Keys] = bytes
				}
			}
		}
		total := 0.0
		for i, n := range written {
			total += float64(n) * entry[i]
		}
		held = append(held, total)
	}
	return held
}

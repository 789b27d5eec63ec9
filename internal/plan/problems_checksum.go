package plan

// checksums refuses reads that compare a checksum of keys which are written
// without one before or beside them, on the same cluster: they would fail.
// Whether keys of earlier runs carry one can't be known.
func (c *checker) checksums(run *Run) {
	plain := map[int]string{} // phase that writes them, by index of the keys
	for i := range run.Groups {
		g := &run.Groups[i]
		if len(g.Phases) > 0 && g.Phases[0].Fresh {
			clear(plain)
		}
		g.eachOp(func(p *Phase, o *Op) {
			if o.Value != nil && !o.Value.Checksum && plain[o.Draw.Keys] == "" {
				plain[o.Draw.Keys] = p.Name
			}
		})
		g.eachOp(func(_ *Phase, o *Op) {
			if by := plain[o.Draw.Keys]; o.Checksum && by != "" {
				c.add(o.Pos, "checksum", "%s: phase %s writes these keys without a checksum: give its value checksum = True", o.Kind, by)
			}
		})
	}
}

// eachOp visits the operations that draw keys, those within transactions too.
func (g *Group) eachOp(visit func(*Phase, *Op)) {
	for i := range g.Phases {
		eachOp(&g.Phases[i], g.Phases[i].Ops, visit)
	}
}

func eachOp(p *Phase, ops []Op, visit func(*Phase, *Op)) {
	for i := range ops {
		if len(ops[i].Ops) > 0 {
			eachOp(p, ops[i].Ops, visit)
			continue
		}
		visit(p, &ops[i])
	}
}

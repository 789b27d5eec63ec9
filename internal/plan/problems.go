package plan

// Problems checks what can be known without a cluster.
func (p *Plan) Problems() []Problem { return nil }

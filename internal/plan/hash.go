package plan

// Hash identifies what the plan does.
func (p *Plan) Hash() string { return "" }

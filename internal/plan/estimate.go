package plan

// Estimate is what a run is likely to take.
type Estimate struct{}

// Estimate foretells the run.
func (p *Plan) Estimate() Estimate { return Estimate{} }

// String is one line.
func (e Estimate) String() string { return "" }

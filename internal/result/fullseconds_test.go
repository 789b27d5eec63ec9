package result

import "testing"

func TestExtremesNeedAFullSecondInEachStep(t *testing.T) {
	long, short := fullSeconds{n: 3, some: true, min: 90, max: 110}, fullSeconds{some: true}
	tests := []struct {
		name  string
		steps []fullSeconds
		known bool
	}{
		{"full seconds in each", []fullSeconds{long, long}, true},
		{"a step too short", []fullSeconds{long, short}, false},
		{"a step without requests", []fullSeconds{long, {}}, true},
		{"seconds that differ", []fullSeconds{long, {reason: "seconds of operations differ"}}, false},
	}
	for _, tt := range tests {
		most, least := extremes(tt.steps, 100)
		if most.OK() != tt.known || least.OK() != tt.known {
			t.Errorf("%s: %v and %v, known should be %v", tt.name, most, least, tt.known)
		}
		if tt.known && (most.V != 110 || least.V != 90) {
			t.Errorf("%s: %v and %v, want 110 and 90", tt.name, most.V, least.V)
		}
	}
}

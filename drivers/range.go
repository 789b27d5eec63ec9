package drivers

import (
	"fmt"
	"math"
	"time"
)

// Range is the range of values in words, "0 to 1" or "at least 0s"; empty where
// there is none.
func (o *Option) Range() string {
	switch {
	case !(o.Max > o.Min):
		return ""
	case math.IsInf(o.Max, 1):
		return "at least " + o.bound(o.Min)
	}
	return o.bound(o.Min) + " to " + o.bound(o.Max)
}

// bound prints an end of the range as a value of the option's type.
func (o *Option) bound(f float64) string {
	switch o.Default.(type) {
	case time.Duration:
		return time.Duration(f).String()
	case int64:
		return fmt.Sprintf("%.0f", f)
	}
	return fmt.Sprint(f)
}

// Check refuses a value outside of the range. v has the type of the default.
func (o *Option) Check(v any) error {
	var f float64
	switch v := v.(type) {
	case int64:
		f = float64(v)
	case float64:
		f = v
	case time.Duration:
		f = float64(v)
	default:
		return nil
	}
	if o.Max > o.Min && !(f >= o.Min && f <= o.Max) {
		return fmt.Errorf("want %s, got %v", o.Range(), v)
	}
	return nil
}

// CheckOptions refuses values outside of their ranges, for drivers that are
// used without a plan.
func (s *Spec) CheckOptions(values map[string]any) error {
	for i := range s.Options {
		o := &s.Options[i]
		if err := o.Check(values[o.Name]); err != nil {
			return fmt.Errorf("option %s: %w", o.Name, err)
		}
	}
	return nil
}

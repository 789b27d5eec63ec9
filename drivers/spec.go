package drivers

import (
	"fmt"
	"strings"
	"time"
)

// Spec declares what a store can do. Argument checks, the plan's problems and
// the reference pages all come from it.
type Spec struct {
	Name      string   // name of the driver: "etcd"
	Doc       string   // one sentence
	Ops       []OpInfo // what it can do, in the order of Kind
	Options   []Option // options of a connection, beside user, password and TLS
	Limits    Limits   //
	InProcess bool     // the store lives in our own process: server figures are the client's
	Secure    bool     // understands Target.TLS, User and Password
	ConnBytes int64    // memory that one connection needs in the client, in bytes; 0: not worth planning for
}

// OpInfo declares one operation.
type OpInfo struct {
	Kind          Kind
	Consistencies []Consistency // the first is the default; empty: there is no choice
	RPCs          string        // what one request becomes where there is no choice: "1 Put"
	TTLRPCs       string        // what is sent before that for OpSpec.TTL: "1 LeaseGrant"; empty: nothing
	CurrentRPCs   string        // what is sent before that to learn the current revision, without OpSpec.Absent: "1 Range"; empty: nothing
	TxnRPCs       string        // what is sent before a transaction for such an operation in it, beside CurrentRPCs: "1 exists"; empty: nothing
	Limit, TTL    bool          // understands OpSpec.Limit, OpSpec.TTL
	KeysOnly      bool          // understands OpSpec.KeysOnly
	Entries       bool          // Scan: understands OpSpec.Keep
}

// Consistency is one guarantee of a read or write, by the store's own name.
type Consistency struct {
	Name   string // "serializable"
	Strong bool   // what "strong" means in this store
	Weak   bool   // what "weak" means in this store
	RPCs   string // what one request becomes: "1 Range (serializable)"
	More   int    // RPCs in it beyond the first
}

// Option declares one option of a connection.
type Option struct {
	Name    string
	Default any // its type is the option's: bool, int64, float64, string, time.Duration
	Doc     string
	// The range of a number or duration, where Max > Min; +Inf: no end. Those
	// of a duration are in nanoseconds.
	Min, Max float64
}

// Limits are the store's own, in bytes; 0: none known.
type Limits struct {
	Key   int64
	Value int64
	Reply int64
	Txn   int64 // operations in a transaction
}

// Op finds the declaration of a kind; nil: the store can't do it.
func (s *Spec) Op(k Kind) *OpInfo {
	for i := range s.Ops {
		if s.Ops[i].Kind == k {
			return &s.Ops[i]
		}
	}
	return nil
}

// Resolve turns the consistency of a scenario ("" for the default, "strong",
// "weak", or the store's own name) into the store's own. It reports false where
// the store has no such consistency for this operation.
func (o *OpInfo) Resolve(name string) (string, bool) {
	if len(o.Consistencies) == 0 {
		return "", name == "" || name == "strong"
	}
	if name == "" {
		return o.Consistencies[0].Name, true
	}
	for _, c := range o.Consistencies {
		if c.Name == name || name == "strong" && c.Strong || name == "weak" && c.Weak {
			return c.Name, true
		}
	}
	return "", false
}

// Describe says what one request of op, whose consistencies are resolved,
// becomes: "1 LeaseGrant + 1 Put". Operations of a transaction count by what is
// sent before it on their behalf.
func (s *Spec) Describe(op OpSpec) string {
	info := s.Op(op.Kind)
	if info == nil {
		return ""
	}
	parts := info.before(op)
	for _, sub := range op.Ops {
		if o := s.Op(sub.Kind); o != nil {
			parts = append(parts, o.beforeTxn(sub)...)
		}
	}
	own := info.RPCs
	for _, c := range info.Consistencies {
		if c.Name == op.Consistency {
			own = c.RPCs
		}
	}
	if op.KeysOnly {
		own += ", keys only"
	}
	return strings.Join(append(tally(parts), own), " + ")
}

// Needs is how many RPCs one request of op takes when all goes well: what
// Op.Attempts has above it was hidden in the client library.
func (s *Spec) Needs(op OpSpec) int {
	info := s.Op(op.Kind)
	if info == nil {
		return 0
	}
	n := 1 + len(info.before(op))
	for _, c := range info.Consistencies {
		if c.Name == op.Consistency {
			n += c.More
		}
	}
	for _, sub := range op.Ops {
		if o := s.Op(sub.Kind); o != nil {
			n += len(o.beforeTxn(sub))
		}
	}
	return n
}

// before lists what is sent before the request itself.
func (o *OpInfo) before(op OpSpec) []string {
	var parts []string
	if op.TTL > 0 && o.TTLRPCs != "" {
		parts = append(parts, o.TTLRPCs)
	}
	if !op.Absent && o.CurrentRPCs != "" {
		parts = append(parts, o.CurrentRPCs)
	}
	return parts
}

// beforeTxn lists what is sent before a transaction for an operation in it.
func (o *OpInfo) beforeTxn(op OpSpec) []string {
	parts := o.before(op)
	if o.TxnRPCs != "" {
		parts = append(parts, o.TxnRPCs)
	}
	return parts
}

// tally writes each text once, in the order of their first: "3 x 1 Range".
func tally(texts []string) []string {
	var once []string
	times := map[string]int{}
	for _, t := range texts {
		if times[t]++; times[t] == 1 {
			once = append(once, t)
		}
	}
	for i, t := range once {
		if n := times[t]; n > 1 {
			once[i] = fmt.Sprintf("%d x %s", n, t)
		}
	}
	return once
}

// Option finds an option by name; nil: there is none.
func (s *Spec) Option(name string) *Option {
	for i := range s.Options {
		if s.Options[i].Name == name {
			return &s.Options[i]
		}
	}
	return nil
}

// OptionOf reads an option from the values given, or its declared default.
// It is the one place where the types of options are asserted.
func OptionOf[T bool | int64 | float64 | string | time.Duration](s *Spec, values map[string]any, name string) T {
	if v, ok := values[name].(T); ok {
		return v
	}
	var zero T
	if o := s.Option(name); o != nil {
		if v, ok := o.Default.(T); ok {
			return v
		}
	}
	return zero
}

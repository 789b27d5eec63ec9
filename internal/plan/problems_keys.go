package plan

import (
	"math"
)

// mostCollisions is the number of pairs of equal keys to be expected from
// which on random keys are refused.
const mostCollisions = 0.01

// randomLetters is the size of the alphabet of random keys.
const randomLetters = 62

func (c *checker) keys(k *Keys) {
	if k.Count == 0 {
		c.add(k.Pos, "count", "keys: count must be at least 1")
		return
	}
	room := k.Size - len(k.Prefix)
	switch {
	case k.Size <= 0:
		c.add(k.Pos, "size", "keys: size must be at least 1, got %d", k.Size)
	case k.Size > maxKeySize:
		c.add(k.Pos, "size", "keys: keys of %d bytes are larger than any store takes", k.Size)
	case k.Encoding == "decimal":
		c.digits(k, room, 10)
	case k.Encoding == "hex":
		c.digits(k, room, 16)
	case k.Encoding == "random":
		n := float64(k.Count)
		if expected := n * (n - 1) / 2 / math.Pow(randomLetters, float64(max(room, 0))); expected > mostCollisions {
			c.add(k.Pos, "size", "keys: %d random keys with %d letters each would not all differ; give them a larger size", k.Count, max(room, 0))
		}
	default:
		c.add(k.Pos, "encoding", "keys: no encoding is called %q", k.Encoding)
	}
}

// maxKeySize is beyond the limit of every store, in bytes.
const maxKeySize = 64 << 20

// digits checks that the largest number fits.
func (c *checker) digits(k *Keys, room int, base uint64) {
	need := 1
	for n := (k.Count - 1) / base; n > 0; n /= base {
		need++
	}
	if need > room {
		c.add(k.Pos, "size", "keys: %d keys need %d %s digits after the prefix, size %d leaves %d", k.Count, need, k.Encoding, k.Size, max(room, 0))
	}
}

// draw checks the order in which keys are taken.
func (c *checker) draw(o *Op) {
	d := &o.Draw
	if d.Keys < 0 || d.Keys >= len(c.plan.Keys) {
		c.add(o.Pos, "keys", "%s: no keys number %d in the plan", o.Kind, d.Keys)
		return
	}
	switch d.Order {
	case OrderSequential, OrderUniform, OrderOne:
	case OrderZipfian, OrderLatest:
		if !(d.Constant > 0 && d.Constant <= 10) {
			c.add(o.Pos, "keys", "%s: the zipfian constant must lie above 0, at most at 10, got %v", o.Kind, d.Constant)
		}
	case OrderHotspot:
		if !isShare(d.HotKeys) || !isShare(d.HotOps) {
			c.add(o.Pos, "keys", "%s: the shares of a hotspot must lie between 0 and 1, got %v and %v", o.Kind, d.HotKeys, d.HotOps)
		}
	default:
		c.add(o.Pos, "keys", "%s: no order of keys is called %q", o.Kind, d.Order)
	}
}

func isShare(f float64) bool { return f >= 0 && f <= 1 }

func (c *checker) value(o *Op) {
	v := o.Value
	if v == nil {
		return
	}
	for _, f := range []float64{v.Size.A, v.Size.B, v.Size.Mean(), v.Size.Max()} {
		if !(f >= 0 && f <= math.MaxInt32) {
			c.add(o.Pos, "value", "%s: sizes of values must lie between 0 and 2 GiB, got %v", o.Kind, f)
			return
		}
	}
	if v.Size.Kind == "uniform" && v.Size.B < v.Size.A {
		c.add(o.Pos, "value", "%s: the largest size is below the smallest", o.Kind)
	}
	if !isShare(v.Compressible) {
		c.add(o.Pos, "value", "%s: compressible is a share and must lie between 0 and 1, got %v", o.Kind, v.Compressible)
	}
	if v.Checksum && v.Size.Min() < ChecksumBytes {
		c.add(o.Pos, "value", "%s: a checksum takes the last %d bytes of a value, and values may have %v bytes", o.Kind, ChecksumBytes, v.Size.Min())
	}
}

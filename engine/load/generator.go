package load

import (
	"fmt"
	"strings"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/dist"
	"github.com/kvscen/kvscen/internal/plan"
)

// generator makes the requests of one virtual client, in buffers of its own.
type generator struct {
	mix    *dist.Interleave
	ops    []*maker
	acks   bool // some operation moves a watermark
	checks bool // some operation checks what it reads
}

// maker makes the requests of one operation.
type maker struct {
	state    *KeyState
	keys     *dist.Keys
	order    dist.Order
	live     bool // the number of keys follows the watermark
	acks     bool // it moves the watermark
	index    uint64
	key      []byte // of index
	end      []byte
	value    []byte
	sizes    dist.Sizes
	random   dist.Stream // of values
	zeros    float64     // share of zeros in values
	sealed   bool        // values carry a checksum
	checked  bool        // what is read must carry one
	expected int64
	parent   []byte // list_children
	sub      []*maker
	requests []drivers.Op // of sub
}

func (s *source) generator() (*generator, error) {
	g := &generator{mix: s.mix}
	for i := range s.phase.Ops {
		m, err := s.maker(&s.phase.Ops[i], fmt.Sprint(i))
		if err != nil {
			return nil, fmt.Errorf("phase %s: %s: %w", s.phase.Name, s.phase.Ops[i].Kind, err)
		}
		g.ops = append(g.ops, m)
		g.acks = g.acks || m.acks
	}
	each(s.phase.Ops, func(op *plan.Op) { g.checks = g.checks || op.Checksum })
	return g, nil
}

func (s *source) maker(op *plan.Op, path string) (*maker, error) {
	m := &maker{}
	if len(op.Ops) > 0 {
		for i := range op.Ops {
			sub, err := s.maker(&op.Ops[i], fmt.Sprint(path, ".", i))
			if err != nil {
				return nil, err
			}
			m.sub = append(m.sub, sub)
			m.requests = append(m.requests, drivers.Op{Spec: i})
		}
		return m, nil
	}
	m.state = s.states[op.Draw.Keys]
	k := &m.state.keys
	head := ""
	if k.Parent != "" {
		head = strings.TrimSuffix(k.Parent, "/") + "/"
	}
	keys, err := dist.NewKeys(head, k.Prefix, k.Size, k.Encoding, k.Count, s.seed)
	if err != nil {
		return nil, err
	}
	m.keys, m.end, m.parent = keys, after(head+k.Prefix), []byte(k.Parent)
	if op.Kind != drivers.Scan.String() {
		m.end = nil
	}
	if op.Kind != drivers.ListChildren.String() {
		m.parent = nil
	}
	m.order = order(&op.Draw, dist.NewStream(s.seed, s.phase.Name, path, "order"), s.bases[op])
	m.live = followsInserts(op.Draw.Order)
	m.acks = s.follow[op.Draw.Keys] && op.Draw.Order == plan.OrderSequential
	m.expected = drivers.ExpectCurrent
	if op.Absent {
		m.expected = drivers.ExpectAbsent
	}
	if op.Value != nil {
		m.sizes = sizes(&op.Value.Size)
		m.value = make([]byte, m.sizes.Max())
		m.random = dist.NewStream(s.seed, s.phase.Name, path, "value")
		m.zeros, m.sealed = op.Value.Compressible, op.Value.Checksum
	}
	m.checked = op.Checksum
	return m, nil
}

// after is the first key beyond all that begin with prefix; nil: there is none.
func after(prefix string) []byte {
	b := []byte(prefix)
	for len(b) > 0 {
		if last := len(b) - 1; b[last] < 0xff {
			b[last]++
			return b
		}
		b = b[:len(b)-1]
	}
	return nil
}

func order(d *plan.Draw, s dist.Stream, base uint64) dist.Order {
	switch d.Order {
	case plan.OrderSequential:
		return &dist.Sequential{Base: base}
	case plan.OrderZipfian:
		return dist.NewZipfian(s, d.Constant, d.Scrambled)
	case plan.OrderLatest:
		return dist.NewLatest(s, d.Constant)
	case plan.OrderHotspot:
		return &dist.Hotspot{Stream: s, Keys: d.HotKeys, Ops: d.HotOps}
	case plan.OrderOne:
		return dist.One{}
	default:
		return &dist.Uniform{Stream: s}
	}
}

func sizes(s *plan.Size) dist.Sizes {
	switch s.Kind {
	case "uniform":
		return dist.Between{Lo: int(s.A), Hi: int(s.B)}
	case "normal":
		return dist.Normal{Mean: s.A, Stddev: s.B}
	case "histogram":
		return dist.NewHistogram(s.Sizes, s.Weights)
	default:
		return dist.Fixed(int(s.A))
	}
}

// fill makes request n in op. Its key and value are valid until the next fill.
func (g *generator) fill(op *drivers.Op, n uint64) {
	spec, rank := g.mix.At(n)
	op.Spec = spec
	g.ops[spec].fill(op, n, rank)
}

func (m *maker) fill(op *drivers.Op, n, rank uint64) {
	op.Sub = m.requests
	if m.sub != nil {
		for i, sub := range m.sub {
			sub.fill(&m.requests[i], n, rank)
		}
		return
	}
	count := m.state.keys.Count
	if m.live {
		count = m.state.drawable()
	}
	if index := m.order.Index(n, rank, count); index != m.index || m.key == nil {
		m.index, m.key = index, m.keys.At(index)
	}
	op.Key, op.End, op.Expected = m.key, m.end, m.expected
	if m.parent != nil {
		op.Key = m.parent
	}
	op.Value = nil
	if m.sizes != nil {
		op.Value = m.value[:m.sizes.At(m.random, n)]
		dist.Fill(op.Value, m.random, n, m.zeros)
		if m.sealed {
			dist.Seal(op.Value, op.Key)
		}
	}
}

// done tells the keys' state that the request that was made last has ended.
func (g *generator) done(spec int) {
	if g.acks {
		g.ops[spec].done()
	}
}

func (m *maker) done() {
	if m.acks {
		m.state.done(m.index)
	}
}

package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/cluster"
)

// target says how to connect to a member.
func (s *session) target(m cluster.Member) drivers.Target {
	c := &s.plan.Cluster
	t := drivers.Target{
		Endpoint: m.Endpoint, Member: m.Name, User: c.User, Password: c.Password,
		Timeout: dialTimeout, Options: s.options(),
	}
	if s.up != nil {
		for _, other := range s.up.members {
			if other.Endpoint != m.Endpoint {
				t.Others = append(t.Others, other.Endpoint)
			}
		}
	}
	if c.TLS != nil {
		t.TLS = &drivers.TLS{CA: c.TLS.CA, Cert: c.TLS.Cert, Key: c.TLS.Key, ServerName: c.TLS.ServerName, Insecure: c.TLS.Insecure}
	}
	return t
}

// options are those of the plan, with the types that the driver declares: JSON
// knows neither durations nor whole numbers.
func (s *session) options() map[string]any {
	typed := map[string]any{}
	for name, v := range s.plan.Cluster.Options {
		typed[name] = v
		o := s.spec.Option(name)
		if o == nil {
			continue
		}
		switch o.Default.(type) {
		case time.Duration:
			if n, ok := whole(v); ok {
				typed[name] = time.Duration(n)
			}
		case int64:
			if n, ok := whole(v); ok {
				typed[name] = n
			}
		case float64:
			if n, ok := v.(int64); ok {
				typed[name] = float64(n)
			}
		}
	}
	return typed
}

func whole(v any) (int64, bool) {
	switch n := v.(type) {
	case int64:
		return n, true
	case float64:
		return int64(n), n == float64(int64(n))
	case time.Duration:
		return int64(n), true
	}
	return 0, false
}

// dial opens connection i of a step, to the members that the plan targets in
// turn, so that connections are spread evenly.
func (s *session) dial(ctx context.Context, i, _ int) (drivers.Conn, error) {
	targets, err := s.targets()
	if err != nil {
		return nil, err
	}
	m := targets[i%len(targets)]
	conn, err := s.driver.Dial(ctx, s.target(m))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, s.withLog(m, err))
	}
	return conn, nil
}

// targets are the members that clients connect to.
func (s *session) targets() ([]cluster.Member, error) {
	want := s.plan.Cluster.Target
	switch want {
	case "", "all":
		return s.up.members, nil
	case "leader":
		want = s.up.leads()
		if want == "" {
			return nil, fmt.Errorf("target = \"leader\", but no leader of %s is known", s.plan.Cluster.Label)
		}
	}
	names := strings.Split(want, ",")
	var list []cluster.Member
	for _, m := range s.up.members {
		if slices.ContainsFunc(names, func(n string) bool { return strings.TrimSpace(n) == m.Name }) {
			list = append(list, m)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no member is called %s", want)
	}
	return list, nil
}

package drivertest

import (
	"context"
	"net"
	"strings"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

func testRefused(s *suite) {
	if !s.harness.Network {
		s.Skip("there is no network")
	}
	l := s.listen()
	addr := l.Addr().String()
	l.Close()
	s.unreachable(addr, time.Second)
}

// testBlackHole dials a member that takes connections and says nothing.
func testBlackHole(s *suite) {
	if !s.harness.Network {
		s.Skip("there is no network")
	}
	l := s.listen()
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			defer c.Close()
		}
	}()
	s.unreachable(l.Addr().String(), 300*time.Millisecond)
}

func (s *suite) listen() net.Listener {
	s.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.Fatalf("listen: %v", err)
	}
	return l
}

// unreachable checks that dialling fails in time and says where.
func (s *suite) unreachable(addr string, limit time.Duration) {
	s.Helper()
	target := s.target
	target.Endpoint, target.Timeout = addr, limit
	s.within(limit, "dialling a member that can't be reached", func() {
		conn, err := s.harness.Driver.Dial(s.Context(), target)
		if err == nil {
			conn.Close()
			s.Error("dialling a member that can't be reached succeeded")
			return
		}
		if !strings.Contains(err.Error(), addr) {
			s.Errorf("error %q does not name the endpoint %s", err, addr)
		}
	})
	ctx, cancel := context.WithCancel(s.Context())
	cancel()
	target.Timeout = timeout
	s.promptly("dialling under a cancelled context", func() func() {
		return func() {
			if conn, err := s.harness.Driver.Dial(ctx, target); err == nil {
				conn.Close()
				s.Error("dialling under a cancelled context succeeded")
			}
		}
	})
}

func testStatus(s *suite) {
	statuser, ok := s.conn.(drivers.Statuser)
	if !ok {
		s.Skipf("%s gives no status", s.spec.Name)
	}
	st, err := statuser.Status(s.Context())
	if err != nil {
		s.Fatalf("status: %v", err)
	}
	if st.Version == "" || st.ID == "" {
		s.Errorf("status: version %q, id %q", st.Version, st.ID)
	}
}

func testMetrics(s *suite) {
	m, ok := s.harness.Driver.(drivers.Metricser)
	if !ok {
		s.Skipf("%s publishes no metrics", s.spec.Name)
	}
	metrics, err := m.Metrics(s.Context(), s.target)
	if err != nil {
		s.Fatalf("metrics: %v", err)
	}
	if len(metrics) == 0 {
		s.Error("no metrics were read")
	}
	for name := range metrics {
		if strings.ContainsAny(name, " \t\"{}") || !strings.Contains(name, "_") {
			s.Errorf("metric name %q carries no unit, or odd characters", name)
		}
	}
}

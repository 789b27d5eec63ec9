// Package live lets the figures of a run be watched while it goes on: a page in
// Prometheus' text format that a Prometheus, or a person with curl, fetches.
package live

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Path is where the page lies.
const Path = "/metrics"

const (
	loopback   = "127.0.0.1"
	atOnce     = 4                // scrapes; more are refused, so that they don't take the client's CPU
	headWithin = 10 * time.Second // for a scraper to send its request
	endWithin  = time.Second      // for scrapes under way at the end
)

// Server serves the figures of runs, from Listen to Close.
type Server struct {
	registry *prometheus.Registry
	runs     map[string]*Run // by scenario
	listener net.Listener
	http     http.Server
	ended    chan error // holds one
}

// Listen opens the page at an address: HOST:PORT, or :PORT or PORT for this
// machine alone. Port 0 takes a free one.
func Listen(addr string) (*Server, error) {
	where, err := complete(addr)
	if err != nil {
		return nil, err
	}
	s := &Server{registry: prometheus.NewRegistry(), runs: map[string]*Run{}, ended: make(chan error, 1)}
	for _, own := range []prometheus.Collector{
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), collectors.NewGoCollector(),
	} {
		if err := s.registry.Register(own); err != nil {
			return nil, fmt.Errorf("readying the figures of kvscen itself: %w", err)
		}
	}
	mux := http.NewServeMux()
	mux.Handle("GET "+Path, promhttp.HandlerFor(s.registry, promhttp.HandlerOpts{MaxRequestsInFlight: atOnce}))
	mux.Handle("GET /{$}", http.RedirectHandler(Path, http.StatusFound))
	s.http = http.Server{Handler: mux, ReadHeaderTimeout: headWithin}
	if s.listener, err = net.Listen("tcp", where); err != nil {
		return nil, fmt.Errorf("listening for scrapes of metrics at %s: %w", where, err)
	}
	go func() { s.ended <- s.http.Serve(s.listener) }()
	return s, nil
}

// BadAddress is an address that can't be understood.
type BadAddress struct{ Text string }

func (b *BadAddress) Error() string {
	return fmt.Sprintf("%q is no address: want HOST:PORT, or :PORT for this machine alone", b.Text)
}

// complete puts the loopback address where no host is given.
func complete(addr string) (string, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		host, port = "", addr
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || strconv.FormatUint(n, 10) != port {
		return "", &BadAddress{addr}
	}
	if host == "" {
		host = loopback
	}
	return net.JoinHostPort(host, port), nil
}

// URL is where the page is found.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() + Path }

// Begin starts the figures of a run, which observes the engine. They stay on the
// page until Close, or until a scenario of the same name begins.
func (s *Server) Begin(scenario, version string) (*Run, error) {
	labelled := prometheus.WrapRegistererWith(prometheus.Labels{"scenario": scenario}, s.registry)
	if before := s.runs[scenario]; before != nil {
		labelled.Unregister(before)
	}
	run := newRun(version)
	if err := labelled.Register(run); err != nil {
		return nil, fmt.Errorf("readying the metrics of %s: %w", scenario, err)
	}
	s.runs[scenario] = run
	return run, nil
}

// Close ends scrapes and gives the port back.
func (s *Server) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), endWithin)
	defer cancel()
	if s.http.Shutdown(ctx) != nil {
		s.http.Close() // a scraper that does not read its page
	}
	if err := <-s.ended; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving metrics: %w", err)
	}
	return nil
}

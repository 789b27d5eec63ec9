package consul

import (
	"fmt"
	"math"
	"net"
	"net/http"
	"strings"

	"github.com/hashicorp/consul/api"

	"github.com/kvscen/kvscen/drivers"
)

// noToken stands in for an access token. The library takes CONSUL_* variables
// for every setting that is left empty; a token that is given keeps it from
// reading files that they name. It is never sent.
const noToken = "none"

const tokenHeader = "X-Consul-Token"

// newClient sets the library up for one agent. What it would take from the
// environment, here and in its transport, is given or taken out again.
func newClient(t drivers.Target) (*api.Client, *http.Transport, error) {
	spec := spec()
	most := drivers.OptionOf[int64](&spec, t.Options, maxConnections)
	if most < 0 || most > math.MaxInt32 {
		return nil, nil, fmt.Errorf("option %s = %d: want 0 to %d", maxConnections, most, math.MaxInt32)
	}
	idle := int(most)
	if idle == 0 {
		idle = math.MaxInt32 // 0 would mean two to net/http
	}
	transport := &http.Transport{
		// A dial goes on when the request that asked for it is given up, and would
		// keep the others waiting.
		DialContext:         (&net.Dialer{Timeout: defaultDialTimeout}).DialContext,
		MaxConnsPerHost:     int(most),
		MaxIdleConnsPerHost: idle,
		DisableCompression:  !drivers.OptionOf[bool](&spec, t.Options, compress),
	}
	scheme := "http"
	if t.TLS != nil {
		scheme = "https"
		config, err := t.TLS.Config()
		if err != nil {
			return nil, nil, err
		}
		transport.TLSClientConfig = config
	}
	client, err := api.NewClient(&api.Config{
		Address: t.Endpoint,
		Scheme:  scheme,
		Token:   noToken,
		HttpClient: &http.Client{
			Transport: &plainly{transport: transport, token: t.Password, strict: drivers.OptionOf[string](&spec, t.Options, apiOption) == apiKV},
			// An agent redirects keys that are no clean paths. Followed, a PUT
			// would become a GET of another key.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	})
	if err != nil {
		return nil, nil, err
	}
	return client, transport, nil
}

// plainly takes out of each request what the library has put in on behalf of
// the environment.
type plainly struct {
	transport *http.Transport
	token     string // of access; empty: none
	strict    bool   // a write that is answered by anything but "true" has failed
}

// RoundTrip sends the request, which is the library's own for this one call.
func (p *plainly) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Del(tokenHeader)
	if p.token != "" {
		r.Header.Set(tokenHeader, p.token)
	}
	if q := r.URL.RawQuery; strings.Contains(q, "ns=") || strings.Contains(q, "partition=") {
		values := r.URL.Query()
		values.Del("ns")
		values.Del("partition")
		r.URL.RawQuery = values.Encode()
	}
	reply, err := p.transport.RoundTrip(r)
	if err != nil || !p.strict {
		return reply, err
	}
	if err := done(r, reply); err != nil {
		return nil, err
	}
	return reply, nil
}

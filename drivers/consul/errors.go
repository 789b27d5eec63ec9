package consul

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"

	"github.com/hashicorp/consul/api"

	"github.com/kvscen/kvscen/drivers"
)

// classify sorts an error of a request: by the status of the reply where it is
// known and says enough, by Consul's words otherwise. Of a transaction the
// library gives the words alone.
func classify(err error) drivers.Class {
	if errors.Is(err, errNotDone) {
		return drivers.Refused
	}
	if s, ok := errors.AsType[api.StatusError](err); ok {
		switch s.Code {
		case http.StatusRequestEntityTooLarge, http.StatusRequestURITooLong, http.StatusRequestHeaderFieldsTooLarge:
			return drivers.TooLarge
		case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
			return drivers.Unavailable
		}
		if s.Code < http.StatusInternalServerError {
			return drivers.Refused
		}
	}
	if _, ok := errors.AsType[net.Error](err); ok || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return drivers.Unavailable // the connection was lost or could not be made
	}
	text := strings.ToLower(err.Error())
	for _, w := range words {
		if strings.Contains(text, w.text) {
			return w.class
		}
	}
	return drivers.Other
}

// words of agents, in lower case, and what they mean; the first that is found
// counts.
var words = []struct {
	text  string
	class drivers.Class
}{
	{"too large", drivers.TooLarge},
	{"too many operations", drivers.TooLarge},
	{"permission denied", drivers.Refused},
	{"acl not found", drivers.Refused},
	{"rate limit", drivers.Refused},
	{"concurrent connections", drivers.Refused},
	{"no cluster leader", drivers.Unavailable},
	{"not the leader", drivers.Unavailable},
	{"leadership", drivers.Unavailable}, // lost, or being handed over
	{"no known consul servers", drivers.Unavailable},
	{"raft is already shutdown", drivers.Unavailable},
	{"timed out enqueuing", drivers.Unavailable},
	{"rpc error", drivers.Unavailable}, // between agents
}

// reason is an error without the method and address that net/http puts before.
func reason(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

// refusal explains how an agent refuses a new connection when it has too many of
// this machine: by words or, in older versions, by closing it without any.
func refusal(err error) error {
	const limit = "limits.http_max_conns_per_client of the server, an argument of the recipe"
	switch {
	case strings.Contains(strings.ToLower(err.Error()), "concurrent connections"):
		return fmt.Errorf("%w (the limit is %s)", err, limit)
	case errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET):
		return fmt.Errorf("the new connection was closed at once (%w): the server may be at its limit, which is %s", err, limit)
	}
	return err
}

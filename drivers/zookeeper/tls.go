package zookeeper

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"

	"github.com/kvscen/kvscen/drivers"
)

// transport makes connections to members, secured where there is a config.
type transport struct{ config *tls.Config }

func newTransport(t *drivers.TLS) (transport, error) {
	if t == nil {
		return transport{}, nil
	}
	config, err := t.Config()
	if err != nil {
		return transport{}, err
	}
	return transport{config}, nil
}

// dial connects before ctx ends. raw is the TCP connection below: closing it does
// not wait for the member.
func (t transport) dial(ctx context.Context, address string) (c, raw net.Conn, err error) {
	raw, err = new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil || t.config == nil {
		return raw, raw, err
	}
	config := t.config.Clone()
	if config.ServerName == "" {
		config.ServerName, _, _ = net.SplitHostPort(address) // it was dialled
	}
	secured := tls.Client(raw, config)
	if err := secured.HandshakeContext(ctx); err != nil {
		raw.Close()
		return nil, nil, fmt.Errorf("tls: %w", err)
	}
	return secured, raw, nil
}

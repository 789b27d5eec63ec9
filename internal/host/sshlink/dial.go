package sshlink

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"
)

// maxJumps bounds the jump hosts of jump hosts.
const maxJumps = 8

// Dialer connects to machines. It may be used by several goroutines at once.
type Dialer struct {
	settings Settings
	ring     *keyring
}

// NewDialer makes a Dialer that asks for each passphrase once.
func NewDialer(s Settings) *Dialer {
	return &Dialer{settings: s, ring: &keyring{ask: s.Ask, opened: make(map[string]ssh.Signer)}}
}

// Dial connects to a machine, over its jump hosts, and logs in. ctx bounds the
// dialling alone. An error names the machine and the step that failed; a
// *HostKeyError is in its chain where the machine is not the one known.
func (d *Dialer) Dial(ctx context.Context, t Target) (*Link, error) {
	l, err := d.dial(ctx, t, maxJumps)
	if err != nil {
		return nil, fmt.Errorf("connect to %s over SSH: %w", t.Addr, err)
	}
	return l, nil
}

func (d *Dialer) dial(ctx context.Context, t Target, depth int) (*Link, error) {
	r, err := d.settings.route(t)
	if err != nil {
		return nil, err
	}
	if depth == 0 {
		return nil, fmt.Errorf("more than %d jump hosts, one behind the other: does one name itself?", maxJumps)
	}
	var over *Link // the last jump host
	for i, jump := range r.jumps {
		next, err := d.hop(ctx, over, jump, depth-1)
		if err != nil {
			if over != nil {
				over.Close()
			}
			return nil, fmt.Errorf("jump host %d, %s: %w", i+1, jump.Addr, err)
		}
		over = next
	}
	l, err := d.connect(ctx, over, r)
	if err != nil && over != nil {
		over.Close()
	}
	return l, err
}

// hop connects to a jump host. Only the first one has jump hosts of its own.
func (d *Dialer) hop(ctx context.Context, over *Link, jump Target, depth int) (*Link, error) {
	if over == nil {
		return d.dial(ctx, jump, depth)
	}
	r, err := d.settings.route(jump)
	if err != nil {
		return nil, err
	}
	return d.connect(ctx, over, r)
}

// connect makes the connection, directly or over a jump host, which the link
// then owns.
func (d *Dialer) connect(ctx context.Context, over *Link, r route) (*Link, error) {
	limits := d.settings.Limits
	dialing, cancel := context.WithTimeoutCause(ctx, limits.Connect, fmt.Errorf("no answer within %v", limits.Connect))
	defer cancel()
	var conn net.Conn
	var err error
	if over != nil {
		conn, err = over.client.DialContext(dialing, "tcp", r.addr())
	} else {
		conn, err = (&net.Dialer{KeepAlive: limits.KeepEvery}).DialContext(dialing, "tcp", r.addr())
	}
	if err != nil {
		if dialing.Err() != nil {
			err = context.Cause(dialing)
		}
		return nil, fmt.Errorf("open %s: %w", r.addr(), err)
	}
	listening := &ear{Conn: conn}
	client, err := d.handshake(ctx, listening, r)
	if err != nil {
		conn.Close()
		return nil, err
	}
	return newLink(client, listening, over, r, limits), nil
}

// handshake verifies the machine and logs in.
func (d *Dialer) handshake(ctx context.Context, conn net.Conn, r route) (*ssh.Client, error) {
	v, err := newVerifier(r)
	if err != nil {
		return nil, err
	}
	keys, closeAgent, err := d.ring.signers(r)
	if err != nil {
		return nil, err
	}
	defer closeAgent()
	var refused error // what verify says, and why a key could not be used
	cfg := &ssh.ClientConfig{
		User: r.user,
		Auth: []ssh.AuthMethod{ssh.PublicKeys(keys...)},
		HostKeyCallback: func(name string, remote net.Addr, key ssh.PublicKey) error {
			refused = v.verify(name, remote, key)
			return refused
		},
		HostKeyAlgorithms: v.algorithms,
	}
	type outcome struct {
		client *ssh.Client
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		c, channels, requests, err := ssh.NewClientConn(conn, v.as, cfg)
		if err != nil {
			done <- outcome{err: err}
			return
		}
		done <- outcome{client: ssh.NewClient(c, channels, requests)}
	}()
	cause := d.await(ctx, func() bool { return len(done) > 0 })
	if cause != nil {
		conn.Close()
	}
	o := <-done
	switch {
	case cause != nil:
		if o.client != nil {
			o.client.Close()
		}
		return nil, fmt.Errorf("log in at %s: %w", r.addr(), cause)
	case refused != nil:
		return nil, fmt.Errorf("log in at %s: %w", r.addr(), refused)
	case o.err != nil:
		return nil, fmt.Errorf("log in at %s: %w", r.addr(), explain(o.err, r, keys, v))
	}
	return o.client, nil
}

// await waits for the handshake as long as its limit allows. The clock stands
// while the user is asked for a passphrase.
func (d *Dialer) await(ctx context.Context, done func() bool) error {
	const look = 10 * time.Millisecond
	limit := d.settings.Limits.Handshake
	for left := limit; left > 0; {
		if done() {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(look):
		}
		if !d.ring.asking.Load() {
			left -= look
		}
	}
	return fmt.Errorf("the handshake was not over within %v", limit)
}

// explain says in the user's terms why a handshake failed.
func explain(err error, r route, keys []ssh.Signer, v *verifier) error {
	if negotiation, ok := errors.AsType[*ssh.AlgorithmNegotiationError](err); ok && negotiation.What == "host key" && len(v.algorithms) > 0 {
		return &HostKeyError{Changed: true, Text: fmt.Sprintf(
			"it has none of the kinds of host key that are known of it: known are %s, it has %s", strings.Join(v.algorithms, ", "),
			strings.Join(negotiation.RequestedAlgorithms, ", "))}
	}
	if strings.Contains(err.Error(), "unable to authenticate") {
		var tried []string
		for _, k := range keys {
			tried = append(tried, ssh.FingerprintSHA256(k.PublicKey()))
		}
		return fmt.Errorf("user %s was refused with each of %d keys (%s); key= or IdentityFile names another one: %w",
			r.user, len(keys), strings.Join(tried, ", "), err)
	}
	return err
}

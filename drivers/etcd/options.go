package etcd

import (
	"cmp"
	"context"
	"errors"
	"math"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/keepalive"

	"github.com/kvscen/kvscen/drivers"
)

const (
	// Fixed flow-control windows. Without them gRPC estimates the bandwidth
	// with a ping beside almost every reply, which costs both sides system
	// calls; these are large enough never to hold a reply back.
	streamWindow = 4 << 20
	connWindow   = 16 << 20

	// A connection on which nothing has come for the first of them is asked for a
	// sign of life, and given up where none comes within the second. Without that
	// one which the network has dropped would fail every request until the system
	// gives it up, after a quarter of an hour. A member takes no more than a ping in
	// 5 s, and gRPC sends none before 10.
	silentFor  = 10 * time.Second
	answerTime = 5 * time.Second
)

// clientConfig sets client/v3 up for one connection. ctx bounds the login.
func clientConfig(ctx context.Context, t drivers.Target) (*clientv3.Config, error) {
	if t.User != "" && t.Password == "" {
		return nil, errors.New("a user without a password can't log in")
	}
	options, err := dialOptions(t)
	if err != nil {
		return nil, err
	}
	c := &clientv3.Config{
		Endpoints:   []string{t.Endpoint},
		Username:    t.User,
		Password:    t.Password,
		DialOptions: options,
		Context:     ctx,
		Logger:      zap.NewNop(),
	}
	if t.TLS != nil {
		if c.TLS, err = tlsConfig(t.TLS); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// dialOptions sets gRPC up for one connection. They stand after client/v3's own
// and so prevail.
func dialOptions(t drivers.Target) ([]grpc.DialOption, error) {
	spec := spec()
	if err := spec.CheckOptions(t.Options); err != nil {
		return nil, err
	}
	buffer := int(drivers.OptionOf[int64](&spec, t.Options, "buffer"))
	options := []grpc.DialOption{
		grpc.WithUnaryInterceptor(plainly),
		grpc.WithNoProxy(),
		grpc.WithDisableServiceConfig(), // which would spread requests over endpoints
		grpc.WithDisableHealthCheck(),
		grpc.WithDisableRetry(),
		grpc.WithIdleTimeout(0), // a slow rate must not cost a connection
		grpc.WithReadBufferSize(buffer),
		grpc.WithWriteBufferSize(buffer),
		grpc.WithStaticStreamWindowSize(streamWindow),
		grpc.WithStaticConnWindowSize(connWindow),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff: backoff.Config{BaseDelay: 50 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: time.Second},
			// Longer than Dial waits, so that it is Dial that says that time is up.
			MinConnectTimeout: cmp.Or(t.Timeout, defaultDialTimeout) + time.Second,
		}),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: silentFor, Timeout: answerTime}),
		// client/v3 has settings for these too, but only for its own calls.
		grpc.WithDefaultCallOptions(
			grpc.WaitForReady(!drivers.OptionOf[bool](&spec, t.Options, "fail_fast")),
			grpc.MaxCallSendMsgSize(limit(drivers.OptionOf[int64](&spec, t.Options, "max_send"))),
			grpc.MaxCallRecvMsgSize(limit(drivers.OptionOf[int64](&spec, t.Options, "max_receive"))),
		),
	}
	if t.TLS != nil && t.TLS.ServerName != "" {
		// The name in the TLS settings is not enough: client/v3 names the endpoint
		// with each address, which gRPC would verify in its place.
		options = append(options, grpc.WithAuthority(t.TLS.ServerName))
	}
	return options, nil
}

// limit is a size for gRPC, where 0 stands for none.
func limit(bytes int64) int { return int(cmp.Or(bytes, math.MaxInt32)) }

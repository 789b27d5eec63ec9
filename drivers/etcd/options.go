package etcd

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/kvscen/kvscen/drivers"
)

const (
	// Fixed flow-control windows. Without them gRPC estimates the bandwidth
	// with a ping beside almost every reply, which costs both sides system
	// calls; these are large enough never to hold a reply back.
	streamWindow = 4 << 20
	connWindow   = 16 << 20
)

// dialOptions sets gRPC up for one connection.
func dialOptions(t drivers.Target) ([]grpc.DialOption, error) {
	spec := spec()
	secure, err := transportOption(t.TLS)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"max_send", "max_receive", "buffer"} {
		if n := drivers.OptionOf[int64](&spec, t.Options, name); n < 0 || n > math.MaxInt32 {
			return nil, fmt.Errorf("option %s = %d: want 0 to %d bytes", name, n, math.MaxInt32)
		}
	}
	buffer := int(drivers.OptionOf[int64](&spec, t.Options, "buffer"))
	return []grpc.DialOption{
		secure,
		grpc.WithNoProxy(),
		grpc.WithDisableServiceConfig(),
		grpc.WithDisableHealthCheck(),
		grpc.WithDisableRetry(),
		grpc.WithIdleTimeout(0), // a slow rate must not cost a connection
		grpc.WithReadBufferSize(buffer),
		grpc.WithWriteBufferSize(buffer),
		grpc.WithStaticStreamWindowSize(streamWindow),
		grpc.WithStaticConnWindowSize(connWindow),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 50 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: time.Second},
			MinConnectTimeout: 5 * time.Second,
		}),
		grpc.WithDefaultCallOptions(
			grpc.WaitForReady(!drivers.OptionOf[bool](&spec, t.Options, "fail_fast")),
			grpc.MaxCallSendMsgSize(limit(drivers.OptionOf[int64](&spec, t.Options, "max_send"))),
			grpc.MaxCallRecvMsgSize(limit(drivers.OptionOf[int64](&spec, t.Options, "max_receive"))),
		),
	}, nil
}

// limit is a size for gRPC, where 0 stands for none.
func limit(bytes int64) int { return int(cmp.Or(bytes, math.MaxInt32)) }

func transportOption(t *drivers.TLS) (grpc.DialOption, error) {
	if t == nil {
		return grpc.WithTransportCredentials(insecure.NewCredentials()), nil
	}
	config, err := tlsConfig(t)
	if err != nil {
		return nil, err
	}
	return grpc.WithTransportCredentials(credentials.NewTLS(config)), nil
}

package etcd

import (
	"context"
	"sync"
	"sync/atomic"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// login puts the token of a user into each request of a connection.
type login struct {
	user, password string
	client         pb.AuthClient

	mu    sync.Mutex // held while logging in, so that one does it for all
	token atomic.Pointer[map[string]string]
}

// refresh logs in, unless somebody has since the caller read the token old.
func (l *login) refresh(ctx context.Context, old string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.current() != old {
		return nil
	}
	r, err := l.client.Authenticate(ctx, &pb.AuthenticateRequest{Name: l.user, Password: l.password}, grpc.WaitForReady(false))
	if err != nil {
		return err
	}
	l.token.Store(&map[string]string{rpctypes.TokenFieldNameGRPC: r.Token})
	return nil
}

// current is the token in use; empty: none yet.
func (l *login) current() string {
	if m := l.token.Load(); m != nil {
		return (*m)[rpctypes.TokenFieldNameGRPC]
	}
	return ""
}

// GetRequestMetadata implements credentials.PerRPCCredentials. The map is
// shared by all requests; gRPC only reads it.
func (l *login) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	if m := l.token.Load(); m != nil {
		return *m, nil
	}
	return nil, nil
}

// RequireTransportSecurity implements credentials.PerRPCCredentials: etcd takes
// users over plain text too.
func (l *login) RequireTransportSecurity() bool { return false }

// tokenLost reports whether the member does not know the token any more: it was
// restarted, or the token has expired.
func tokenLost(err error) bool {
	return status.Code(err) == codes.Unauthenticated
}

package etcd

import (
	"context"
	"errors"
	"slices"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// plainly takes the place of client/v3's interceptor, which would repeat a
// request up to a hundred times unseen, and adds a sixth to its CPU time. It
// passes requests on as they are, all but logins.
func plainly(ctx context.Context, method string, request, reply any, c *grpc.ClientConn, send grpc.UnaryInvoker, options ...grpc.CallOption) error {
	if _, login := reply.(*pb.AuthenticateResponse); !login {
		return send(ctx, method, request, reply, c, options...)
	}
	// A member that can't be reached is an answer too: do not wait for it.
	options = append(slices.Clip(options), grpc.WaitForReady(false))
	err := send(ctx, method, request, reply, c, options...)
	if errors.Is(rpctypes.Error(err), rpctypes.ErrAuthNotEnabled) {
		// client/v3 would go on without the user, and measure something else than
		// what was asked for.
		return status.Error(codes.FailedPrecondition, "the member has no users: its authentication is not enabled")
	}
	return err
}

// tokenLost reports whether the member did not know the token of a request any
// more: it was restarted, the token has expired, or users were changed. The
// request was not carried out.
func tokenLost(err error) bool {
	err = rpctypes.Error(err)
	return errors.Is(err, rpctypes.ErrInvalidAuthToken) ||
		errors.Is(err, rpctypes.ErrAuthOldRevision) ||
		errors.Is(err, rpctypes.ErrUserEmpty)
}

// renew has client/v3 log in again, unless that was done since the caller read
// c.logins: after a restart of the member all requests under way lose their token
// at once, and each login would cost it some 50 ms of CPU time. It reports
// whether a login was sent.
func (c *conn) renew(ctx context.Context, seen int64) (sent bool, err error) {
	select {
	case c.renewing <- struct{}{}:
		defer func() { <-c.renewing }()
	case <-ctx.Done():
		return false, ctx.Err()
	}
	if c.logins.Load() != seen {
		return false, nil
	}
	// client/v3 logs in before it opens any stream, and there is no other way to
	// ask it to. Nothing is sent on this one.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if _, err := c.lease.LeaseKeepAlive(ctx); err != nil {
		return true, err
	}
	c.logins.Add(1)
	return true, nil
}

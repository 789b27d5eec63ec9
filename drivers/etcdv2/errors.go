package etcdv2

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	v2 "go.etcd.io/etcd/client/v2"

	"github.com/kvscen/kvscen/drivers"
)

func isCode(err error, code int) bool {
	e, ok := errors.AsType[v2.Error](err)
	return ok && e.Code == code
}

// isMissing reports that there is no key: not at its path, or because what is
// above it is a key itself.
func isMissing(err error) bool {
	return isCode(err, v2.ErrorCodeKeyNotFound) || isCode(err, v2.ErrorCodeNotDir)
}

// failure says what a failed request is counted as; late is one whose deadline
// has passed.
func (c *client) failure(ctx context.Context, late bool, op *drivers.Op, err error) *drivers.Error {
	as := func(class drivers.Class, format string, args ...any) *drivers.Error {
		return &drivers.Error{Class: class, Err: fmt.Errorf("etcdv2: "+format, args...)}
	}
	// The library gives a failure of the one member we name in a list.
	if all, ok := errors.AsType[*v2.ClusterError](err); ok && len(all.Errors) > 0 {
		err = all.Errors[0]
	}
	switch {
	case c.conn.closed.Load():
		return as(drivers.Unavailable, "the connection was closed: %w", err)
	case ctx.Err() != nil:
		return as(drivers.Other, "cancelled: %w", context.Cause(ctx))
	case late:
		return as(drivers.Timeout, "no answer by the deadline")
	}
	return as(classify(err, op), "%w", err)
}

func classify(err error, op *drivers.Op) drivers.Class {
	if e, ok := errors.AsType[v2.Error](err); ok {
		switch e.Code {
		case v2.ErrorCodeRaftInternal, v2.ErrorCodeLeaderElect:
			return drivers.Unavailable
		case v2.ErrorCodeInvalidForm:
			if 3*len(op.Value) > maxForm-envelope {
				return drivers.TooLarge
			}
		}
		return drivers.Refused
	}
	if e, ok := errors.AsType[statusError](err); ok {
		return e.class()
	}
	if errors.Is(err, errLarge) {
		return drivers.TooLarge
	}
	var network net.Error
	if errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return drivers.Unavailable
	}
	for _, text := range []string{"has no leader", "returns server error", "server closed idle connection", "connection broken"} {
		if strings.Contains(err.Error(), text) {
			return drivers.Unavailable
		}
	}
	return drivers.Other
}

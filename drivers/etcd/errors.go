package etcd

import (
	"errors"
	"strings"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/kvscen/kvscen/drivers"
)

// classify sorts an error of a request by its gRPC code and, where one code
// stands for several things, by etcd's or gRPC's words.
func classify(err error) drivers.Class {
	s := status.Convert(err)
	if e, ok := errors.AsType[rpctypes.EtcdError](err); ok {
		s = status.New(e.Code(), e.Error()) // of a login, which client/v3 sends
	}
	if s.Code() == codes.Unknown { // a server may send its own errors so, "too many requests" among them: their words are known
		if e, ok := errors.AsType[rpctypes.EtcdError](rpctypes.Error(err)); ok {
			s = status.New(e.Code(), e.Error())
		}
	}
	text := s.Message()
	switch s.Code() {
	case codes.DeadlineExceeded:
		return drivers.Timeout
	case codes.Unavailable, codes.Canceled:
		return drivers.Unavailable
	case codes.Aborted:
		return drivers.Conflict
	case codes.ResourceExhausted:
		if strings.Contains(text, "message larger than max") {
			return drivers.TooLarge
		}
		return drivers.Refused // quota, or too many requests
	case codes.InvalidArgument:
		if strings.Contains(text, "request is too large") || strings.Contains(text, "too many operations") {
			return drivers.TooLarge
		}
		return drivers.Refused
	case codes.PermissionDenied, codes.Unauthenticated, codes.FailedPrecondition, codes.OutOfRange, codes.Unimplemented:
		return drivers.Refused
	case codes.Internal:
		if strings.Contains(text, "RST_STREAM") || strings.Contains(text, "transport") {
			return drivers.Unavailable
		}
	}
	return drivers.Other
}

// notConnected reports whether a request ended while it waited for the
// connection: then it is the member that can't be reached, whatever ended it.
func notConnected(err error) bool {
	text := status.Convert(err).Message()
	return strings.Contains(text, "latest balancer error") || strings.Contains(text, "connections to become ready")
}

// reason is why a connection could not be made, in gRPC's words without its
// wrapping.
func reason(err error) error {
	var s interface{ GRPCStatus() *status.Status }
	if !errors.As(err, &s) {
		return err
	}
	text := s.GRPCStatus().Message()
	if hungUp(text) {
		return errors.New("it ended the connection without an answer: perhaps it wants TLS, or is no etcd")
	}
	return errors.New(text)
}

// hungUp reports whether the other side ended the connection. Whether that is
// seen as its end or as a reset, in reading or in writing, depends on what was
// still on the way to it.
func hungUp(text string) bool {
	for _, end := range []string{"EOF", "connection reset by peer", "broken pipe"} {
		if strings.Contains(text, end) {
			return true
		}
	}
	return false
}

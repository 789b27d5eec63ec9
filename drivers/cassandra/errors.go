package cassandra

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"github.com/kvscen/kvscen/drivers"
)

// codes of the server's errors and what they are counted as. That the
// coordinator got no answer of the others in its own time is a timeout too.
var codes = map[int]drivers.Class{
	gocql.ErrCodeUnavailable:     drivers.Unavailable,
	gocql.ErrCodeBootstrapping:   drivers.Unavailable,
	gocql.ErrCodeReadTimeout:     drivers.Timeout,
	gocql.ErrCodeWriteTimeout:    drivers.Timeout,
	gocql.ErrCodeCASWriteUnknown: drivers.Timeout,
	gocql.ErrCodeOverloaded:      drivers.Refused,
	gocql.ErrCodeCredentials:     drivers.Refused,
	gocql.ErrCodeUnauthorized:    drivers.Refused,
	gocql.ErrCodeSyntax:          drivers.Refused,
	gocql.ErrCodeInvalid:         drivers.Refused,
	gocql.ErrCodeConfig:          drivers.Refused,
	gocql.ErrCodeProtocol:        drivers.Refused,
} // never changed

// classify sorts an error of a request.
func classify(err error) drivers.Class {
	if e, ok := errors.AsType[gocql.RequestError](err); ok {
		text := strings.ToLower(e.Message())
		if strings.Contains(text, "too large") || strings.Contains(text, "longer than maximum") || strings.Contains(text, "too long") {
			return drivers.TooLarge
		}
		if overtaken(err) {
			return drivers.Conflict
		}
		return codes[e.Code()]
	}
	switch {
	case errors.Is(err, gocql.ErrTimeoutNoResponse):
		return drivers.Timeout
	case errors.Is(err, gocql.ErrNoConnections), errors.Is(err, gocql.ErrConnectionClosed),
		errors.Is(err, gocql.ErrSessionClosed), errors.Is(err, gocql.ErrNoStreams),
		errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed):
		return drivers.Unavailable
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return drivers.Unavailable // the connection was lost
	}
	return drivers.Other
}

// overtaken reports whether a swap has met another one of the same row: some of
// the replicas had agreed to it, and then the others to the other one. A later swap
// or serial read ends it one way or the other.
func overtaken(err error) bool {
	e, ok := errors.AsType[*gocql.RequestErrWriteTimeout](err)
	return ok && e.WriteType == "CAS"
}

// worded adds to an error of the server what its text does not tell, and to one
// of the library why the member can't be reached.
func (l *link) worded(err error) error {
	if errors.Is(err, gocql.ErrNoConnections) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.cause != nil {
			return fmt.Errorf("not connected: %w", l.cause)
		}
		return errors.New("not connected")
	}
	var of struct {
		*gocql.RequestErrUnavailable
		*gocql.RequestErrReadTimeout
		*gocql.RequestErrWriteTimeout
	}
	switch {
	case overtaken(err):
		return fmt.Errorf("%w: another swap of this row was under way; whether this one is done is not known", err)
	case errors.As(err, &of.RequestErrUnavailable):
		e := of.RequestErrUnavailable
		return fmt.Errorf("%w: %v needs %d replicas, %d are alive", err, e.Consistency, e.Required, e.Alive)
	case errors.As(err, &of.RequestErrReadTimeout):
		e := of.RequestErrReadTimeout
		return fmt.Errorf("%w: %v needs the answers of %d replicas, %d came", err, e.Consistency, e.BlockFor, e.Received)
	case errors.As(err, &of.RequestErrWriteTimeout):
		e := of.RequestErrWriteTimeout
		return fmt.Errorf("%w: %v (%s) needs the answers of %d replicas, %d came", err, e.Consistency, strings.ToLower(e.WriteType), e.BlockFor, e.Received)
	}
	return err
}

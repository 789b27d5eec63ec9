package zookeeper

import (
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/go-zookeeper/zk"

	"github.com/kvscen/kvscen/drivers"
)

var (
	errTooLarge = errors.New("the request is larger than max_request")
	errLate     = errors.New("no answer by the deadline")
	errTurns    = errors.New("other clients were faster each time")
	// errCut is of a request above the size that servers take by default.
	errCut = errors.New("the member hung up on it: it is larger than the member's jute.maxbuffer")
)

// classes of the library's errors; never changed.
var classes = []struct {
	err   error
	class drivers.Class
}{
	{errTooLarge, drivers.TooLarge},
	{errCut, drivers.TooLarge},
	{zk.ErrShortBuffer, drivers.TooLarge},
	{errTurns, drivers.Conflict},
	{zk.ErrConnectionClosed, drivers.Unavailable},
	{zk.ErrNoServer, drivers.Unavailable},
	{zk.ErrSessionExpired, drivers.Unavailable},
	{zk.ErrSessionMoved, drivers.Unavailable},
	{zk.ErrClosing, drivers.Unavailable},
	{zk.ErrNoAuth, drivers.Refused},
	{zk.ErrAuthFailed, drivers.Refused},
	{zk.ErrInvalidACL, drivers.Refused},
	{zk.ErrNodeExists, drivers.Refused},
	{zk.ErrNoNode, drivers.Refused},
	{zk.ErrNotEmpty, drivers.Refused},
	{zk.ErrNoChildrenForEphemerals, drivers.Refused},
	{zk.ErrInvalidPath, drivers.Refused},
	{zk.ErrBadArguments, drivers.Refused},
	{zk.ErrBadVersion, drivers.Conflict},
}

// codes of the server's that the library does not know, as it writes them.
var codes = map[string]drivers.Class{
	"-4":   drivers.Unavailable, // connection loss
	"-6":   drivers.Refused,     // unimplemented
	"-7":   drivers.Timeout,     // operation timeout
	"-119": drivers.Refused,     // not read only
	"-125": drivers.Refused,     // quota exceeded
	"-127": drivers.Refused,     // throttled
}

// suspect is the size, in bytes, from which a request that was cut off is
// suspected to be the cause.
const suspect = 64 << 10

// answered notes how large a request the member has taken.
func (c *call) answered() {
	if before := c.conn.answered.Load(); int64(c.size) > before {
		c.conn.answered.CompareAndSwap(before, int64(c.size)) // a larger one may have been faster
	}
}

// explain adds to the error of a call what may be behind it. A member hangs up on a
// request above its jute.maxbuffer, and says why in its log alone. One that is
// larger than any that was answered on the connection, and than what servers take
// by default, was certainly the cause; a smaller one may have been.
func (c *call) explain(err error) error {
	if !isLost(err) {
		if classify(err) != drivers.Timeout {
			c.answered()
		}
		return err
	}
	switch {
	case int64(c.size) <= c.conn.answered.Load() || c.size < suspect:
		return err
	case c.size > maxRequest:
		return fmt.Errorf("a request of %d bytes: %w (%w)", c.size, errCut, err)
	}
	return fmt.Errorf("%w, on a request of %d bytes: see whether the member's jute.maxbuffer is smaller", err, c.size)
}

// isLost reports whether a request failed with its connection.
func isLost(err error) bool {
	_, network := errors.AsType[*net.OpError](err)
	return network || errors.Is(err, zk.ErrConnectionClosed)
}

// classify sorts an error of a request.
func classify(err error) drivers.Class {
	for _, c := range classes {
		if errors.Is(err, c.err) {
			return c.class
		}
	}
	if isLost(err) {
		return drivers.Unavailable
	}
	if _, code, ok := strings.Cut(err.Error(), "unknown error: "); ok {
		return codes[code]
	}
	return drivers.Other
}

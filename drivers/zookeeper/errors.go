package zookeeper

import (
	"errors"
	"strings"

	"github.com/go-zookeeper/zk"

	"github.com/kvscen/kvscen/drivers"
)

var (
	errTooLarge = errors.New("the request is larger than max_request")
	errLeft     = errors.New("the request was given up")
	errTurns    = errors.New("other clients were faster each time")
)

// classes of the library's errors; never changed.
var classes = []struct {
	err   error
	class drivers.Class
}{
	{errTooLarge, drivers.TooLarge},
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

// classify sorts an error of a request.
func classify(err error) drivers.Class {
	for _, c := range classes {
		if errors.Is(err, c.err) {
			return c.class
		}
	}
	if _, code, ok := strings.Cut(err.Error(), "unknown error: "); ok {
		return codes[code]
	}
	return drivers.Other
}

package zookeeper

import (
	"fmt"
	"math"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/kvscen/kvscen/drivers"
)

// Modes of a put.
const (
	modeUpsert = "upsert"
	modeCreate = "create"
	modeSet    = "set"
)

// settings are the options of a connection.
type settings struct {
	sessionTimeout time.Duration
	root           string // path of the node above all keys; empty: none
	mode           string
	fanout         int64
	maxRequest     int
	maxReply       int
	failFast       bool
	failover       bool
	unknown        string // why members are not asked by four letters; empty: they are
	proxy          string
	ephemeral      bool
	sequential     bool
	acl            []zk.ACL // of the nodes created
}

func settingsOf(t drivers.Target) (settings, error) {
	spec, values := spec(), t.Options
	s := settings{
		sessionTimeout: drivers.OptionOf[time.Duration](&spec, values, "session_timeout"),
		mode:           drivers.OptionOf[string](&spec, values, "mode"),
		fanout:         drivers.OptionOf[int64](&spec, values, "fanout"),
		failFast:       drivers.OptionOf[bool](&spec, values, "fail_fast"),
		failover:       drivers.OptionOf[bool](&spec, values, "failover"),
		ephemeral:      drivers.OptionOf[bool](&spec, values, "ephemeral"),
		sequential:     drivers.OptionOf[bool](&spec, values, "sequential"),
	}
	request := drivers.OptionOf[int64](&spec, values, "max_request")
	reply := drivers.OptionOf[int64](&spec, values, "max_reply")
	if root := drivers.OptionOf[string](&spec, values, "root"); root != "" {
		s.root = (&settings{}).path([]byte(root))
	}
	s.maxRequest, s.maxReply = int(request), int(reply)
	if !drivers.OptionOf[bool](&spec, values, "four_letter_words") {
		s.unknown = "members are not asked, as four_letter_words = False says"
	}
	var err error
	if err = s.behind(drivers.OptionOf[string](&spec, values, "proxy"), t); err != nil {
		return s, err
	}
	if s.acl, err = rights(drivers.OptionOf[string](&spec, values, "acl"), t); err != nil {
		return s, err
	}
	switch {
	case s.sessionTimeout < time.Millisecond || s.sessionTimeout/time.Millisecond > math.MaxInt32:
		return s, fmt.Errorf("option session_timeout = %v: want at least 1ms", s.sessionTimeout)
	case s.mode != modeUpsert && s.mode != modeCreate && s.mode != modeSet:
		return s, fmt.Errorf("option mode = %q: want %q, %q or %q", s.mode, modeUpsert, modeCreate, modeSet)
	case s.sequential && s.mode == modeSet:
		return s, fmt.Errorf("option sequential: each put creates a node, which mode = %q forbids", s.mode)
	case s.fanout < 0 || s.fanout > math.MaxUint32:
		return s, fmt.Errorf("option fanout = %d: want 0 to %d nodes", s.fanout, uint32(math.MaxUint32))
	case request < envelope || request > maxBuffer:
		return s, fmt.Errorf("option max_request = %d: want %d to %d bytes", request, envelope, maxBuffer)
	case reply < 0 || reply > maxBuffer:
		return s, fmt.Errorf("option max_reply = %d: want 0 to %d bytes", reply, maxBuffer)
	}
	return s, nil
}

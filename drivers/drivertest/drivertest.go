// Package drivertest is the conformance suite of drivers. What it asks of a
// driver follows from its Spec: each operation declared there is tested in each
// of its consistencies, through Do and, where the driver has one, through a pipe.
package drivertest

import (
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// Harness is a driver under test and what the suite may do with its members.
type Harness struct {
	Driver drivers.Driver

	// Target gives a member that answers. It may be the same each time and may
	// hold data: the suite uses keys of its own for each test.
	Target func(t *testing.T) drivers.Target

	// Network says that members are reached over TCP: the suite then puts a
	// relay that can be frozen before them, and tries unreachable ones.
	Network bool

	// Hang gives a member that takes requests and never answers them. It is
	// needed where there is no network.
	Hang func(t *testing.T) drivers.Target

	// Restart stops the member of Target at once and returns what starts it
	// again, with its data, at the same endpoint. Nil: that is not tested.
	Restart func(t *testing.T) (start func())

	// Count counts the keys with a prefix that the member of a target holds, by
	// another means than the driver. A member in our own process may be stopped
	// for it: the suite then uses it no more. Nil: that is not compared.
	Count func(t *testing.T, target drivers.Target, prefix []byte) int

	// TTL is a time to live that the store takes; 0 is one second.
	TTL time.Duration

	// Unsure says that a cas under way with another one of the same key may fail as
	// a conflict, of which nobody knows whether it was done.
	Unsure bool

	// Patience is how long the suite waits for what is to happen by itself, such as
	// that a connection serves again; 0 is a minute, which a busy machine may need.
	Patience time.Duration

	// AllocFree lists the operations that the driver promises to carry out
	// without allocating.
	AllocFree []drivers.Kind
}

// Run puts the driver through the whole suite.
func Run(t *testing.T, h Harness) {
	t.Helper()
	if h.TTL == 0 {
		h.TTL = time.Second
	}
	if h.Patience == 0 {
		h.Patience = time.Minute
	}
	t.Run("spec", func(t *testing.T) { testSpec(t, h.Driver.Spec()) })
	target := h.Target(t)
	for _, path := range paths {
		t.Run(path.name, func(t *testing.T) {
			s := newSuite(t, h, target, path.open)
			s.bind(s.conn, s.op(drivers.Get)) // skips the path where the driver lacks it
			for _, c := range outcomes {
				t.Run(c.name, func(t *testing.T) { c.test(s.sub(t)) })
			}
		})
	}
	for _, c := range lives {
		t.Run(c.name, func(t *testing.T) { c.test(newSuite(t, h, target, openDo)) })
	}
}

type testCase struct {
	name string
	test func(*suite)
}

// outcomes are tests of what requests yield; they are run through each path.
var outcomes = []testCase{
	{"put, get, delete", testPutGetDelete},
	{"empty value", testEmptyValue},
	{"odd keys", testOddKeys},
	{"no stale results", testNoStaleResults},
	{"cas", testCAS},
	{"cas that creates", testCASAbsent},
	{"cas lost to another", testCASRace},
	{"txn", testTxn},
	{"txn with a lost cas", testTxnLost},
	{"txn is atomic", testTxnAtomic},
	{"scan", testScan},
	{"scan of keys alone", testScanKeys},
	{"scan that is looked at", testScanEntries},
	{"list children", testListChildren},
	{"exists", testExists},
	{"ttl", testTTL},
	{"value at the limit", testValueLimit},
	{"key at the limit", testKeyLimit},
	{"many clients, one connection", testConcurrent},
	{"counts", testCounts},
	{"deadline", testDeadline},
	{"deadline in the past", testDeadlinePast},
}

// lives are tests of connections and clients.
var lives = []testCase{
	{"unknown operation", testUnknownOperation},
	{"cancel", testCancel},
	{"close", testClose},
	{"close under load", testCloseUnderLoad},
	{"closed connection", testClosedConnection},
	{"pipe: cancel", testPipeCancel},
	{"pipe: close", testPipeClose},
	{"pipe: wait", testPipeWait},
	{"refused", testRefused},
	{"black hole", testBlackHole},
	{"status", testStatus},
	{"metrics", testMetrics},
	{"allocations", testAllocations},
	{"restart under load", testRestart},
	{"connection cut", testCut},
	{"connection half open", testHalfOpen},
}

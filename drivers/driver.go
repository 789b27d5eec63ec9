// Package drivers is the one door through which every store comes in: the
// interfaces that a store's client implements, the request that the engine
// hands over, and the description of what a store can do. It holds no store's
// code and imports nothing of this module.
package drivers

import (
	"context"
	"errors"
	"time"
)

// A Driver is one store's client library behind the interfaces of this package.
// It holds no connection and no global state; one value serves a whole run.
type Driver interface {
	// Spec says what the store can do. It is the same at every call.
	Spec() Spec
	// Dial opens one connection to one member and proves that it answers
	// before Target.Timeout has passed. An error names the endpoint, and is
	// ErrUnfit where waiting is no use.
	Dial(ctx context.Context, t Target) (Conn, error)
}

// ErrUnfit is wrapped by the error of a Dial to a member that answers, but never
// will as it must: it is of a version that lacks what is needed.
var ErrUnfit = errors.New("the member does not fit")

// A Conn is one connection to one member. Its methods may be called from
// several goroutines at once.
type Conn interface {
	// Client binds the operations of a phase, once, so that nothing is looked
	// up while requests are under way. Op.Spec is an index into ops. An error
	// names the operation that can't be done.
	Client(ops []OpSpec) (Client, error)
	// Close ends the connection and unblocks every Do under way on it.
	Close() error
}

// A Client carries out requests one at a time, for one virtual client. It is
// used by one goroutine only.
type Client interface {
	// Do carries out op and fills in its results. It returns by op.Deadline;
	// ctx is the phase's and is the same for each call. The error, if any, is
	// an *Error. Found, not found and a lost compare-and-swap are outcomes and
	// no errors.
	Do(ctx context.Context, op *Op) error
}

// A Piper is a Conn on which one goroutine can carry many virtual clients.
type Piper interface {
	// Pipe binds the operations of a phase for the given number of clients,
	// which is the most requests that will be under way at once.
	Pipe(ops []OpSpec, clients int) (Pipe, error)
}

// A Pipe is used by one goroutine only. A submitted Op belongs to the pipe
// until Reap has given it back with its results and Op.Err filled in.
type Pipe interface {
	// Submit queues op. It does not block.
	Submit(op *Op) error
	// Flush sends what is queued. What can't be sent comes back from Reap, as
	// failed; the error is for those who want to know.
	Flush() error
	// Reap waits until at least one submitted request has ended, or until
	// wait has passed, or ctx has ended, and fills done with ended requests.
	// With wait = 0 it only looks.
	Reap(ctx context.Context, done []*Op, wait time.Duration) (int, error)
	// Close gives up what is under way.
	Close() error
}

// Target says where and how to connect: one member of one cluster.
type Target struct {
	Endpoint string         // host:port, or what an Opener returned
	Member   string         // name of the member, for messages
	Others   []string       // endpoints of the cluster's other members, for a store whose sessions may move there
	User     string         // empty: no authentication
	Password string         //
	TLS      *TLS           // nil: plain text
	Timeout  time.Duration  // for Dial
	Options  map[string]any // by Spec.Options; values are bool, int64, float64, string or time.Duration
}

// TLS names the PEM files of a secured connection.
type TLS struct {
	CA         string // certificate authority of the server; empty: the system's
	Cert, Key  string // the client's own; empty: none
	ServerName string // name to verify where it differs from the endpoint's host
	Insecure   bool   // do not verify the server's certificate
}

// An Opener is a Driver of a store that lives in our own process: it is opened
// once for each member of a cluster and closed when the cluster is stopped.
type Opener interface {
	// Open starts the store with its data in dir and returns the endpoint that
	// Dial is to be given.
	Open(ctx context.Context, dir string, options map[string]any) (endpoint string, close func() error, err error)
}

// Status is what a member says of itself.
type Status struct {
	Version string // the server's version, "3.7.3"
	ID      string // the member's own id, comparable with Leader
	Leader  string // id of the leader it knows; empty: none known
	Follows bool   // it follows a leader that it can't name: the member whose Leader is its own ID
	Equal   bool   // members of this store are equal: there is no leader
	DBSize  int64  // bytes of the database; 0 where unknown
	Term    uint64 // election term; 0 where unknown
	Unknown string // why the member can't be asked, though it serves; empty: it was, and the rest is what it said
}

// A Statuser is a Conn whose member can be asked for its status.
type Statuser interface {
	Status(ctx context.Context) (Status, error)
}

// A Metricser is a Driver whose members publish metrics of their own.
type Metricser interface {
	// Metrics reads the member's metrics. Names carry their unit as last word
	// (db_total_bytes, leader_changes_count). A histogram is given as
	// NAME_count, NAME_sum_seconds and NAME_bucket_LE, the cumulative counts of
	// Prometheus.
	Metrics(ctx context.Context, t Target) (map[string]Metric, error)
}

// Metric is one figure that a member publishes.
type Metric struct {
	Value   float64
	Counter bool // it only grows: the difference of two readings is what happened between them
}

package drivers

import (
	"errors"
	"fmt"
	"time"
)

// Kind is what a request does.
type Kind uint8

// The kinds of requests. A store declares in its Spec which it can do.
const (
	Put          Kind = iota // write Value at Key
	Get                      // read the value at Key
	Delete                   // remove Key
	Scan                     // read keys and values from Key on: up to End (exclusive, if not empty), up to OpSpec.Limit
	ListChildren             // read the names one level below Key
	CAS                      // write Value at Key if its revision is the one expected
	Txn                      // carry out Op.Sub in one atomic step
	Exists                   // look whether Key is there, without its value: Op.Found alone tells
	numKinds
)

var kindNames = [numKinds]string{"put", "get", "delete", "scan", "list_children", "cas", "txn", "exists"}

// String is the name that a scenario uses.
func (k Kind) String() string {
	if k < numKinds {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// KindOf finds a kind by the name that a scenario uses.
func KindOf(name string) (Kind, bool) {
	for k, n := range kindNames {
		if n == name {
			return Kind(k), true
		}
	}
	return 0, false
}

// OpSpec is what all requests of one operation of a phase have in common.
type OpSpec struct {
	Kind        Kind
	Consistency string        // the store's own name, resolved: never "strong", "weak" or empty where the store has a choice
	Limit       int           // Scan, ListChildren: most entries in a reply; 0: no limit
	TTL         time.Duration // Put: how long the key lives; 0: for ever
	Absent      bool          // CAS: expects that the key does not exist
	Keep        bool          // Get: set Op.Read, so that the value can be looked at; Scan: Op.Entries, where OpInfo.Entries
	KeysOnly    bool          // Scan: read keys without their values
	Ops         []OpSpec      // Txn: the operations in it
}

// Expected values of Op.Expected.
const (
	ExpectCurrent = int64(-1) // CAS: read the revision first, then swap if it is still the same
	ExpectAbsent  = int64(0)  // CAS: create, if the key does not exist
)

// Op is one request and its results. The engine owns it and uses it again for
// the next request; a driver keeps neither it nor its slices after Do or Reap
// has given it back.
type Op struct {
	Spec     int       // index into the operations that the client was bound to
	Key      []byte    //
	End      []byte    // Scan: end of the range, exclusive; empty: no end
	Value    []byte    // Put, CAS
	Expected int64     // CAS: revision expected, or ExpectCurrent, or ExpectAbsent
	Sub      []Op      // Txn: as OpSpec.Ops
	Deadline time.Time // by which Do returns; carries a monotonic reading
	Tag      uint64    // the engine's own; a driver leaves it alone

	// Results. Do sets each of them at every call.
	Found    bool    // Get, Delete, Exists: the key was there. CAS: swapped. Txn: committed
	Count    int     // entries read or removed
	Bytes    int64   // payload bytes read: keys and values of the reply
	Attempts int     // RPCs sent for it, hidden retries included; 0 where that can't be known
	Revision int64   // revision of the store or of the key after it; 0 where there is none
	Read     []byte  // Get: the value, valid until the next Do; may be nil where OpSpec did not ask for it
	Entries  []Entry // Scan: what was read, valid until the next Do; may be nil where OpSpec did not ask for it
	Err      error   // Pipe only: what Do would have returned
}

// Entry is a key and its value.
type Entry struct{ Key, Value []byte }

// Reset clears the results of op.
func (op *Op) Reset() {
	op.Found, op.Count, op.Bytes, op.Attempts, op.Revision, op.Read, op.Err = false, 0, 0, 0, 0, nil, nil
	op.Entries = nil
}

// Class sorts failures by what a reader can do about them.
type Class uint8

// The classes of failed requests.
const (
	Other       Class = iota
	Timeout           // the deadline passed
	Unavailable       // no leader, no quorum, connection lost
	Refused           // the server said no: quota, permission, overload
	Conflict          // a transaction was refused because of another one; a lost CAS is none
	TooLarge          // key, value, reply or transaction over the limit
	Corrupt           // the value read is not one that was written at its key
	NumClasses
)

var classNames = [NumClasses]string{"other", "timeout", "unavailable", "refused", "conflict", "too large", "corrupt"}

// String is the name used in reports.
func (c Class) String() string {
	if c < NumClasses {
		return classNames[c]
	}
	return fmt.Sprintf("Class(%d)", uint8(c))
}

// Error is a failed request: the class by which it is counted and the cause.
type Error struct {
	Class Class
	Err   error
}

func (e *Error) Error() string { return e.Class.String() + ": " + e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// ClassOf returns the class of err: that of the *Error in its chain, or Other.
func ClassOf(err error) Class {
	var e *Error
	if errors.As(err, &e) {
		return e.Class
	}
	return Other
}

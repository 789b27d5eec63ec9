package cassandra

import (
	"slices"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/drivers/drivertest"
)

const partitions = int64(8)

// strict is the driver with other defaults: what is written reaches all members,
// so that reads of one of them, whichever, must find it.
type strict struct {
	*Driver
	without drivers.Kind // that is not tested
}

func (s strict) Spec() drivers.Spec {
	spec := s.Driver.Spec()
	for i := range spec.Ops {
		list := spec.Ops[i].Consistencies
		all := slices.IndexFunc(list, func(c drivers.Consistency) bool { return c.Name == "ALL" })
		if k := spec.Ops[i].Kind; k == drivers.Put || k == drivers.Delete || k == drivers.Txn {
			list[0], list[all] = list[all], list[0]
		}
	}
	spec.Ops = slices.DeleteFunc(spec.Ops, func(o drivers.OpInfo) bool { return o.Kind == s.without })
	return spec
}

// TestCluster starts three members and tests all that needs no other settings of
// theirs.
func TestCluster(t *testing.T) {
	members := startServers(t, 3, "")
	target := func() drivers.Target {
		t := members[0].target()
		t.Options = map[string]any{"replication_factor": int64(3)}
		return t
	}
	spread := func() drivers.Target {
		t := target()
		t.Options["partitions"] = partitions
		return t
	}
	t.Run("set-up", func(t *testing.T) { testSetUp(t, members) })
	for _, c := range cases {
		for name, target := range map[string]func() drivers.Target{"own partitions": target, "spread": spread} {
			t.Run(c.name+", "+name, func(t *testing.T) {
				f := fixture{T: t, conn: dial(t, target()), target: target()}
				if f.conn.settings.spec.Op(c.needs).Refused != "" {
					t.Skipf("%v can't be done", c.needs)
				}
				c.test(f)
			})
		}
	}
	t.Run("a member lost", func(t *testing.T) { testMemberLost(t, members, target()) })
	harness := drivertest.Harness{
		Network: true,
		Unsure:  true,
		TTL:     2 * time.Second, // the server counts from the second that the write came in
	}
	t.Run("own partitions", func(t *testing.T) {
		h := harness
		h.Driver, h.Target = strict{New(), drivers.Scan}, func(*testing.T) drivers.Target { return target() }
		drivertest.Run(t, h)
	})
	t.Run("spread", func(t *testing.T) {
		h := harness
		h.Driver, h.Target, h.Restart = strict{New(), drivers.ListChildren}, func(*testing.T) drivers.Target { return spread() }, members[0].restart
		drivertest.Run(t, h)
	})
}

var cases = []struct {
	name  string
	needs drivers.Kind
	test  func(fixture)
}{
	{"exists", drivers.Exists, testExists},
	{"keys only", drivers.Scan, testKeysOnly},
	{"pages", drivers.Scan, testPages},
	{"batch", drivers.Txn, testBatch},
	{"attempts", drivers.Scan, testAttempts},
	{"blind delete", drivers.Delete, testBlindDelete},
	{"server's time", drivers.Put, testServerTime},
	{"swap after put", drivers.CAS, testSwapAfterPut},
	{"dial refusals", drivers.Put, testDialRefusals},
	{"members lacking", drivers.Put, testMembersLacking},
	{"one member", drivers.Put, testOneMember},
	{"token aware", drivers.Scan, testTokenAware},
	{"metrics", drivers.Put, testMetrics},
}

func dial(t testing.TB, target drivers.Target) *conn {
	t.Helper()
	c, err := New().Dial(t.Context(), target)
	if err != nil {
		t.Fatalf("dial: %v", err)
	}
	t.Cleanup(func() { c.Close() })
	return c.(*conn)
}

// do binds one operation and carries out one request.
func do(t testing.TB, c drivers.Conn, spec drivers.OpSpec, op *drivers.Op) error {
	t.Helper()
	client, err := c.Client([]drivers.OpSpec{spec})
	if err != nil {
		t.Fatalf("bind %v: %v", spec.Kind, err)
	}
	if op.Deadline.IsZero() {
		op.Deadline = time.Now().Add(time.Minute)
	}
	return client.Do(t.Context(), op)
}

package etcd

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/kvscen/kvscen/drivers"
)

// TestAttempts counts what each request becomes, as Spec declares it.
func TestAttempts(t *testing.T) {
	c := dial(t, startMember(t, nil).target())
	spec := New().Spec()
	put, cas := drivers.OpSpec{Kind: drivers.Put}, drivers.OpSpec{Kind: drivers.CAS}
	for name, x := range map[string]struct {
		spec drivers.OpSpec
		op   drivers.Op
		want int
		text string
	}{
		"put":          {put, drivers.Op{}, 1, "1 Put"},
		"put with ttl": {drivers.OpSpec{Kind: drivers.Put, TTL: 10 * time.Second}, drivers.Op{}, 2, "1 LeaseGrant + 1 Put"},
		"get":          {drivers.OpSpec{Kind: drivers.Get, Consistency: serializable}, drivers.Op{}, 1, "1 Range (serializable)"},
		"cas absent": {drivers.OpSpec{Kind: drivers.CAS, Absent: true}, drivers.Op{Expected: drivers.ExpectCurrent}, 1,
			"1 Txn on the mod revision"},
		"cas current": {cas, drivers.Op{Expected: drivers.ExpectCurrent}, 2,
			"1 Range (linearizable, keys only) + 1 Txn on the mod revision"},
		"txn": {drivers.OpSpec{Kind: drivers.Txn, Ops: []drivers.OpSpec{put, {Kind: drivers.Get}}},
			drivers.Op{Sub: []drivers.Op{{Key: []byte("a")}, {Key: []byte("b")}}}, 1, "1 Txn"},
		"txn with cas": {drivers.OpSpec{Kind: drivers.Txn, Ops: []drivers.OpSpec{cas, put, cas}},
			drivers.Op{Sub: []drivers.Op{
				{Key: []byte("c"), Expected: drivers.ExpectCurrent}, {Key: []byte("d")}, {Key: []byte("e"), Expected: drivers.ExpectCurrent},
			}}, 3, "2 x 1 Range (linearizable, keys only) + 1 Txn"},
	} {
		op := x.op
		op.Key = []byte(name)
		if err := doOn(t, c, x.spec, &op); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if text := spec.Describe(x.spec); op.Attempts != x.want || text != x.text {
			t.Errorf("%s: %d attempts, described as %q; want %d, %q", name, op.Attempts, text, x.want, x.text)
		}
	}
	given := drivers.Op{Key: []byte("given"), Expected: 1}
	if err := doOn(t, c, cas, &given); err != nil || given.Attempts != 1 {
		t.Errorf("cas on a given revision: %d attempts, %v; want 1", given.Attempts, err)
	}
}

// sick is a member that is in good health but for what is asked of the key "k".
type sick struct {
	pb.UnimplementedKVServer
	pb.UnimplementedMaintenanceServer
	pb.UnimplementedAuthServer
	fail   func() error
	asked  atomic.Int64
	logins atomic.Int64
}

func (s *sick) answer(key []byte) error {
	if string(key) != "k" {
		return nil
	}
	s.asked.Add(1)
	return s.fail()
}

func (s *sick) Range(_ context.Context, r *pb.RangeRequest) (*pb.RangeResponse, error) {
	return &pb.RangeResponse{}, s.answer(r.Key)
}

func (s *sick) Put(_ context.Context, r *pb.PutRequest) (*pb.PutResponse, error) {
	return &pb.PutResponse{}, s.answer(r.Key)
}

func (s *sick) Status(context.Context, *pb.StatusRequest) (*pb.StatusResponse, error) {
	return &pb.StatusResponse{}, nil
}

func (s *sick) Authenticate(context.Context, *pb.AuthenticateRequest) (*pb.AuthenticateResponse, error) {
	s.logins.Add(1)
	time.Sleep(100 * time.Millisecond) // as long as a real one may take
	return &pb.AuthenticateResponse{Token: "t"}, nil
}

func (s *sick) start(t *testing.T) drivers.Target {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	pb.RegisterKVServer(server, s)
	pb.RegisterMaintenanceServer(server, s)
	pb.RegisterAuthServer(server, s)
	go server.Serve(l)
	t.Cleanup(server.Stop)
	return drivers.Target{Endpoint: l.Addr().String(), Timeout: time.Minute}
}

// TestNothingHidden lets requests fail in ways that client libraries like to
// repeat, and compares what came to the member with Op.Attempts.
func TestNothingHidden(t *testing.T) {
	for _, user := range []string{"", "root"} {
		for name, err := range map[string]error{
			"no leader":      rpctypes.ErrGRPCNoLeader,
			"unavailable":    status.Error(codes.Unavailable, "there is no connection available"),
			"cancelled":      status.Error(codes.Canceled, "by the member"),
			"deadline":       rpctypes.ErrGRPCDeadlineExceeded,
			"lost token":     rpctypes.ErrGRPCInvalidAuthToken,
			"old revision":   rpctypes.ErrGRPCAuthOldRevision,
			"no token":       rpctypes.ErrGRPCUserEmpty,
			"internal error": status.Error(codes.Internal, "no more"),
		} {
			m := &sick{fail: func() error { return err }}
			target := m.start(t)
			target.User, target.Password = user, user
			c := dial(t, target)
			for _, kind := range []drivers.Kind{drivers.Get, drivers.Put} {
				m.asked.Store(0)
				m.logins.Store(0)
				op := drivers.Op{Key: []byte("k")}
				if doOn(t, c, drivers.OpSpec{Kind: kind}, &op) == nil {
					t.Errorf("%v succeeded in spite of %s", kind, name)
				}
				if came := m.asked.Load() + m.logins.Load(); int64(op.Attempts) != came {
					t.Errorf("user %q, %v, %s: %d attempts, but %d requests and %d logins came", user, kind, name, op.Attempts, m.asked.Load(), m.logins.Load())
				}
				want := int64(1)
				if user != "" && tokenLost(err) {
					want = 2
				}
				if m.asked.Load() != want {
					t.Errorf("user %q, %v, %s: it came %d times, want %d", user, kind, name, m.asked.Load(), want)
				}
			}
		}
	}
}

// TestOneLoginForAll lets many requests lose their token at once.
func TestOneLoginForAll(t *testing.T) {
	const clients = 20
	var all sync.WaitGroup // the requests that come with the old token
	all.Add(clients)
	m := &sick{}
	m.fail = func() error {
		if m.asked.Load() > clients {
			return nil
		}
		all.Done()
		all.Wait()
		return rpctypes.ErrGRPCInvalidAuthToken
	}
	target := m.start(t)
	target.User, target.Password = "root", "root"
	c := dial(t, target)
	m.logins.Store(0)
	var wg sync.WaitGroup
	var attempts atomic.Int64
	for range clients {
		wg.Go(func() {
			op := drivers.Op{Key: []byte("k")}
			if err := doOn(t, c, drivers.OpSpec{Kind: drivers.Put}, &op); err != nil {
				t.Error(err)
			}
			attempts.Add(int64(op.Attempts))
		})
	}
	wg.Wait()
	logins := m.logins.Load()
	if logins < 1 || logins > clients/2 { // a busy machine may bring some too late
		t.Errorf("%d requests that lost their token logged in %d times, want once", clients, logins)
	}
	if got, want := attempts.Load(), 2*clients+logins; got != want {
		t.Errorf("%d attempts, want %d: each request twice, and the logins", got, want)
	}
}

package zookeeper

import (
	"fmt"

	"github.com/kvscen/kvscen/drivers"
)

// Values of the option proxy.
const (
	noProxy = ""
	zetcd   = "zetcd"
)

// given is what members can do under the options of one cluster.
func given(options map[string]any) drivers.Spec {
	s := spec()
	more := drivers.OptionOf[int64](&s, options, "max_request") - maxRequest
	s.Limits.Key, s.Limits.Value = max(1, s.Limits.Key+more), max(1, s.Limits.Value+more)
	s.Limits.Conns = max(0, drivers.OptionOf[int64](&s, options, "max_connections"))
	if drivers.OptionOf[string](&s, options, "proxy") == zetcd {
		s.Secure, s.Ops = false, zetcdOps()
	}
	return s
}

// zetcdOps are what zetcd does with requests: each becomes a transaction in etcd,
// whose reads are linearizable. A multi would end its process.
func zetcdOps() []drivers.OpInfo {
	reads := func(call string) []drivers.Consistency {
		return []drivers.Consistency{{Name: local, Strong: true, Weak: true, RPCs: "1 " + call + ", in etcd 1 Txn of reads"}}
	}
	const writes = ", in etcd reads and 1 Txn, again where it is lost to another"
	return []drivers.OpInfo{
		{Kind: drivers.Put, RPCs: "1 create or 1 set, as the client's last put was" + writes},
		{Kind: drivers.Get, Consistencies: reads("getData")},
		{Kind: drivers.Delete, RPCs: "1 delete" + writes},
		{Kind: drivers.ListChildren, Consistencies: reads("getChildren2")},
		{Kind: drivers.CAS, RPCs: "1 setData with the version, or 1 create" + writes, CurrentRPCs: "1 exists"},
		{Kind: drivers.Exists, Consistencies: reads("exists")},
	}
}

// behind settles what is not asked of a proxy. zetcd takes a command of four
// letters for the length of a message, of 1.9 GB, and a login ends its process.
func (s *settings) behind(proxy string, t drivers.Target) error {
	switch proxy {
	case noProxy:
		return nil
	case zetcd:
	default:
		return fmt.Errorf("option proxy = %q: want %q or %q", proxy, noProxy, zetcd)
	}
	if t.User != "" || t.Password != "" || t.TLS != nil {
		return fmt.Errorf("option proxy = %q: zetcd knows no users, passwords and TLS", proxy)
	}
	s.proxy, s.unknown = proxy, "zetcd answers no srvr"
	return nil
}

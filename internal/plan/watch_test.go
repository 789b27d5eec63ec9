package plan

import (
	"testing"
	"time"
)

// running is a cluster of three members that somebody else has started.
func running(w Watch) Cluster {
	return Cluster{Label: "a", Driver: "etcd", Endpoints: []string{"h1:1", "h2:1", "h3:1"}, Target: "all", ReadyWithin: time.Minute, Watch: &w}
}

func TestWatchIsOneForEachOrOneForAll(t *testing.T) {
	for _, tt := range []struct {
		list []string
		want [3]string
	}{
		{nil, [3]string{}},
		{[]string{"/x"}, [3]string{"/x", "/x", "/x"}},
		{[]string{"/x", "/y", "/z"}, [3]string{"/x", "/y", "/z"}},
	} {
		w := &Watch{PIDFiles: tt.list, Data: tt.list, Logs: tt.list}
		for _, path := range tt.list {
			w.Hosts = append(w.Hosts, Host{Addr: path})
		}
		for i, want := range tt.want {
			if w.PIDFile(i) != want || w.DataFolder(i) != want || w.Log(i) != want {
				t.Errorf("%v, endpoint %d: %q, %q, %q; want %q", tt.list, i, w.PIDFile(i), w.DataFolder(i), w.Log(i), want)
			}
			if h := w.Host(i); (h == nil) != (want == "") || h != nil && h.Addr != want {
				t.Errorf("%v, endpoint %d: host %+v, want %q", tt.list, i, h, want)
			}
		}
	}
	p := sample()
	p.Runs[0].Cluster = running(Watch{PIDFiles: []string{"/run/etcd.pid"}, Hosts: make([]Host, 3)})
	if got := p.Problems(); len(got) > 0 {
		t.Errorf("problems: %+v", got)
	}
}

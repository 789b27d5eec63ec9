package result

import (
	"slices"
	"testing"
	"time"
)

func host(name, dev string, servers bool, rx, sectors Number) HostUsage {
	return HostUsage{
		Name: name, Servers: servers, Client: !servers, Interface: "eth0", Device: dev, RX: rx, TX: Known(1),
		ReadsCompleted: Known(10), SectorsRead: Known(20), WritesCompleted: Known(30), SectorsWritten: sectors,
	}
}

func member(name string, leader bool, cpu, rss, disk float64) ProcessUsage {
	return ProcessUsage{Name: name, Leader: leader, MaxCPU: Known(cpu), MaxRSS: Known(rss), CPUSeconds: Known(cpu / 10), DiskUsage: Known(disk)}
}

// usedRun is a cluster of three members on two hosts, in two steps.
func usedRun(t *testing.T) *Run {
	first := testStep(t, 0, time.Second, upTo(50), 50)
	first.Usage = Usage{
		Client:  ProcessUsage{MaxCPU: Known(40), MaxRSS: Known(7)},
		Members: []ProcessUsage{member("a", true, 100, 5, 1), member("b", false, 50, 9, 1), member("c", false, 50, 1, 1)},
		Hosts: []HostUsage{
			host("h1", "sda", true, Known(1000), Known(400)), host("h2", "sda", true, Known(500), Known(200)),
			host("h1", "sda", true, Known(1000), Known(400)), // the second member on h1: the same device and interface
			host("load", "sda", false, Known(77), Known(9)),
		},
	}
	second := testStep(t, time.Second, 2*time.Second, upTo(50), 50)
	second.Usage = Usage{
		Client:  ProcessUsage{MaxCPU: NA("no second"), MaxRSS: Known(3)},
		Members: []ProcessUsage{member("a", false, 60, 6, 100), member("b", true, 80, 9, 200), member("c", false, 10, 1, 300)},
		Hosts:   []HostUsage{host("h1", "sda", true, Known(1), Known(40)), host("h2", "sda", true, Known(2), Known(20)), host("load", "sda", false, Known(3), Known(9))},
	}
	return testRun([]Step{first, second})
}

func TestUsed(t *testing.T) {
	v := view(t, usedRun(t), all())
	wantMetrics(t, v, map[string]Number{
		"server_rx": Known(1503), "server_tx": Known(4), "client_rx": Known(80),
		"server_reads": Known(20), "server_sectors_read": Known(40), "server_writes": Known(60), "server_sectors_written": Known(330),
		"server_max_cpu": Known(100), "server_max_memory": Known(9), "client_max_cpu": Known(40), "client_max_memory": Known(7),
		"server_disk_usage": Known(200), "leader_max_cpu": Known(100), "server_cpu_seconds": Known(35),
		"requests_per_cpu_second":     Known(100 / 35.0),
		"disk_bytes_per_payload_byte": Known(660 * 512 / 10_000.0),
	})
	if !slices.Equal(v.Used.Leaders, []string{"a", "b"}) {
		t.Errorf("leaders %v", v.Used.Leaders)
	}
}

func TestUsedIsUnknownAsAWhole(t *testing.T) {
	r := usedRun(t)
	h := &r.Clusters[0].Phases[0].Steps[1].Usage.Hosts[1]
	h.RX, h.SectorsWritten = NA("shared loopback"), NA("no /proc here")
	wantMetrics(t, view(t, r, all()), map[string]Number{
		"server_rx": NA("shared loopback"), "server_sectors_written": NA("no /proc here"), "disk_bytes_per_payload_byte": NA("no /proc here"),
		"server_writes": Known(60),
	})
}

func TestUsedOfStoreInProcess(t *testing.T) {
	r := usedRun(t)
	r.Clusters[0].InProcess = true
	wantMetrics(t, view(t, r, all()), map[string]Number{
		"server_max_cpu": NA("in process"), "server_rx": NA("in process"), "requests_per_cpu_second": NA("in process"), "client_max_cpu": Known(40),
	})
}

func TestUsedOverRepetitions(t *testing.T) {
	r := usedRun(t)
	again := usedRun(t).Clusters[0]
	again.Repetition = 1
	again.Phases[0].Steps[1].Usage.Members[2].DiskUsage = Known(900)
	r.Clusters = append(r.Clusters, again)
	wantMetrics(t, view(t, r, all()), map[string]Number{
		"server_rx": Known(3006), "server_max_cpu": Known(100), "server_disk_usage": Known(300), "server_sectors_written": Known(660),
	})
}

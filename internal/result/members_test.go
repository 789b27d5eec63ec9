package result

import "testing"

func TestMembersUsed(t *testing.T) {
	step := func(leader string, cpu float64) Step {
		u := Usage{Hosts: []HostUsage{
			{Name: "a", RX: Known(10), TX: Known(20), SectorsWritten: Known(4)},
			{Name: "b", RX: NA("shared loopback"), TX: NA("shared loopback")},
		}}
		for _, m := range [][2]string{{"m1", "a"}, {"m2", "b"}} {
			u.Members = append(u.Members, ProcessUsage{
				Name: m[0], Host: m[1], Leader: m[0] == leader, MaxCPU: Known(cpu), MaxRSS: Known(100 * cpu),
				CPUSeconds: Known(2), WriteBytes: Known(1000), DiskUsage: Known(cpu),
			})
		}
		return Step{Usage: u}
	}
	r := &Run{Clusters: []Cluster{
		{Label: "etcd", Phases: []Phase{{Name: "w", Steps: []Step{step("m1", 50), step("m2", 70)}}}},
		{Label: "etcd", Repetition: 1, Phases: []Phase{{Name: "w", Steps: []Step{step("m1", 60)}}}},
		{Label: "zookeeper", Phases: []Phase{{Name: "w", Steps: []Step{step("m1", 1)}}}},
	}}
	list, err := r.MembersUsed(Selection{Cluster: "etcd", Phase: "w", Repetition: Merged, Step: Merged})
	if err != nil || len(list) != 2 {
		t.Fatalf("%d members, %v; want 2", len(list), err)
	}
	m1, m2 := list[0], list[1]
	for what, c := range map[string]struct{ got, want Number }{
		"largest CPU":    {m1.MaxCPU, Known(70)},
		"largest memory": {m1.MaxRSS, Known(7000)},
		"CPU seconds":    {m1.CPUSeconds, Known(6)},
		"written":        {m2.WriteBytes, Known(3000)},
		"disk usage":     {m1.DiskUsage, Known(60)}, // at the end of the last step
		"received":       {m1.HostRX, Known(30)},
		"sectors":        {m1.HostSectorsWritten, Known(12)},
		"unknown":        {m2.HostTX, NA("shared loopback")},
	} {
		if c.got != c.want {
			t.Errorf("%s is %+v, want %+v", what, c.got, c.want)
		}
	}
	if m1.Name != "m1" || m1.Host != "a" || m1.Steps != 3 || m1.Led != 2 || m2.Led != 1 {
		t.Errorf("members %+v and %+v", m1, m2)
	}
	if _, err := r.MembersUsed(Selection{Cluster: "consul", Phase: "w", Repetition: Merged, Step: Merged}); err == nil {
		t.Error("a cluster that is not there has members")
	}
}

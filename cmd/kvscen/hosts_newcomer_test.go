//go:build linux

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kvscen/kvscen/internal/result"
)

// newcomer does what the README's section on machines says, with the three stores
// that dbtester was made for.
func newcomer(t *testing.T, f *fleet) {
	stores := []string{"etcd"}
	for store, condition := range map[string]string{"zookeeper": "installed:/usr/share/java/zookeeper.jar", "consul": "installed:consul"} {
		there, err := installed(condition)
		if err != nil {
			t.Fatal(err)
		}
		if there {
			stores = append(stores, store)
		}
	}
	if len(stores) < 3 {
		t.Logf("without zookeeper or consul, which are not installed: %v", stores)
	}
	a := f.begin(t, f.hosts, "../../scenarios/write-1m.star", "--small", "--set", "store="+strings.Join(stores, ","))
	run := a.ends(t, result.StatusOK)
	if len(run.Clusters) != len(stores) {
		t.Fatalf("clusters %+v", run.Clusters)
	}
	text := table(a.seen.String())
	for i := range run.Clusters {
		c := &run.Clusters[i]
		if c.Label != stores[i] || c.Version == "" || c.Error != "" {
			t.Errorf("cluster %s of version %q: %s", c.Label, c.Version, c.Error)
		}
		membersOnHosts(t, f, c)
		collected(t, f, c, a.out)
		for _, s := range c.Phases[0].Steps {
			counted(t, s)
			sampledOnHosts(t, s.Usage, f)
		}
		clocksOfHosts(t, f, c)
		column(t, text, i, c)
		memberRows(t, text, c)
	}
	if left := f.folders(t); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// membersOnHosts looks whether each member is on its own machine, and one leads.
func membersOnHosts(t *testing.T, f *fleet, c *result.Cluster) {
	t.Helper()
	if len(c.Members) != len(f.Servers) {
		t.Fatalf("members %+v", c.Members)
	}
	leaders := 0
	for i, m := range c.Members {
		address := f.Servers[i].Address
		if m.Host != address || !strings.HasPrefix(m.Endpoint, address+":") {
			t.Errorf("member %+v, want it on %s", m, address)
		}
		if m.Leader {
			leaders++
		}
	}
	if leaders != 1 {
		t.Errorf("%s has %d leaders", c.Label, leaders)
	}
}

// collected looks for the log of each member, and for what it was configured by:
// a file, or its command line.
func collected(t *testing.T, f *fleet, c *result.Cluster, out string) {
	t.Helper()
	files := map[string]string{"zookeeper": "zoo.cfg", "consul": "consul.json"}
	for i, m := range c.Members {
		base := filepath.Join(out, "logs", c.Label, m.Name+"."+c.Label)
		if log, err := os.ReadFile(base + ".log"); err != nil || len(log) == 0 {
			t.Errorf("the log of %s: %d bytes, %v", m.Name, len(log), err)
		}
		config := strings.Join(m.Processes, "\n")
		if name := files[c.Label]; name != "" {
			text, err := os.ReadFile(filepath.Join(base+".files", name))
			if err != nil {
				t.Error(err)
			}
			config = string(text)
		}
		for _, s := range f.Servers {
			if !strings.Contains(config, s.Address) {
				t.Errorf("the configuration of %s %s does not name %s:\n%s", c.Label, m.Name, s.Address, config)
			}
		}
		if !strings.Contains(config, filepath.Join(f.Servers[i].Home, ".kvscen", "runs")) {
			t.Errorf("the configuration of %s %s does not name its folder:\n%s", c.Label, m.Name, config)
		}
	}
}

// sampledOnHosts looks for figures of every member and every machine.
func sampledOnHosts(t *testing.T, u result.Usage, f *fleet) {
	t.Helper()
	known := func(what string, n result.Number, least float64) {
		t.Helper()
		if !n.OK() || n.V < least {
			t.Errorf("%s: %v, want at least %v", what, n, least)
		}
	}
	for i, member := range u.Members {
		if member.Host != f.Servers[i].Address {
			t.Errorf("%s is on %s", member.Name, member.Host)
		}
		known(member.Name+" CPU", member.CPUSeconds, 0.01)
		known(member.Name+" memory", member.MaxRSS, 10<<20)
		known(member.Name+" threads", member.Threads, 2)
		known(member.Name+" written", member.WriteBytes, 1)
		known(member.Name+" disk usage", member.DiskUsage, 100<<10)
	}
	if len(u.Hosts) != 1+len(f.Servers) {
		t.Fatalf("%d hosts", len(u.Hosts))
	}
	for i, h := range u.Hosts[1:] {
		if h.Name != f.Servers[i].Address || h.Interface == "" || h.Interface == "lo" || !h.Servers || h.Client {
			t.Errorf("host %+v", h)
		}
		known(h.Name+" received", h.RX, 1000*1024/2) // every member gets every value of a step
		known(h.Name+" sent", h.TX, 1)
		if h.Device != "" {
			known(h.Name+" sectors written", h.SectorsWritten, 1)
		}
	}
}

// clocksOfHosts looks at two comparisons with each machine: it is one clock.
func clocksOfHosts(t *testing.T, f *fleet, c *result.Cluster) {
	t.Helper()
	if len(c.Clocks) != 2*len(f.Servers) {
		t.Errorf("clocks %+v", c.Clocks)
	}
	for _, clock := range c.Clocks {
		if clock.Bound <= 0 || clock.Offset.Abs() > clock.Bound {
			t.Errorf("clock %+v", clock)
		}
	}
}

// table are the rows of the printed tables, each the cells of a line.
func table(text string) [][]string {
	var rows [][]string
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) < 3 || cells[0] != "" {
			continue
		}
		cells = cells[1 : len(cells)-1]
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	return rows
}

// column looks at the column of a cluster in the table of the phase.
func column(t *testing.T, rows [][]string, index int, c *result.Cluster) {
	t.Helper()
	leader := c.Members[slices.IndexFunc(c.Members, func(m result.Member) bool { return m.Leader })].Name
	want := map[string]func(string) bool{
		"write":                                func(cell string) bool { return cell == c.Label },
		"TOTAL-REQUEST-NUMBER":                 func(cell string) bool { return cell == "2,000" },
		"CLIENT-ERROR-COUNT":                   func(cell string) bool { return cell == "0" },
		"SERVER-MAX-CPU-USAGE":                 figure("%"),
		"SERVER-MAX-MEMORY-USAGE":              figure("MB"),
		"SERVER-TOTAL-NETWORK-RX-DATA-SUM":     figure("MB"),
		"SERVER-TOTAL-NETWORK-TX-DATA-SUM":     figure("B"),
		"SERVER-AVG-SECTORS-WRITTEN-DELTA-SUM": figure(""),
		"SERVER-AVG-DISK-SPACE-USAGE":          figure("B"),
		"leader":                               func(cell string) bool { return cell == leader },
		"leader max CPU":                       figure("%"),
	}
	for name, right := range want {
		i := slices.IndexFunc(rows, func(r []string) bool { return r[0] == name })
		if i < 0 || len(rows[i]) <= 1+index || !right(rows[i][1+index]) {
			t.Errorf("the row %s of %s is not as it should be: %q", name, c.Label, rows[max(i, 0)])
		}
	}
}

// figure tells a number above 0 with a unit.
func figure(unit string) func(string) bool {
	return func(cell string) bool {
		return strings.HasSuffix(cell, unit) && strings.ContainsAny(cell, "123456789") && !strings.Contains(cell, "n/a")
	}
}

// memberRows looks for a row of each member, with its figures.
func memberRows(t *testing.T, rows [][]string, c *result.Cluster) {
	t.Helper()
	for _, m := range c.Members {
		i := slices.IndexFunc(rows, func(r []string) bool {
			return len(r) == 11 && r[0] == c.Label && r[1] == m.Name && r[2] == m.Host
		})
		if i < 0 {
			t.Errorf("%s %s has no row", c.Label, m.Name)
			continue
		}
		if (rows[i][3] == "yes") != m.Leader {
			t.Errorf("whether %s leads: %q", m.Name, rows[i])
		}
		for _, cell := range rows[i][4:] { // CPU, memory, disk and network
			if !figure("")(cell) {
				t.Errorf("%s %s: %q in %q", c.Label, m.Name, cell, rows[i])
			}
		}
	}
}

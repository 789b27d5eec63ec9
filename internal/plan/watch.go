package plan

import "strings"

// Watch is how the processes of a cluster that runs already are found, to be
// sampled. Nothing of it is started or stopped. Of each list there is one for
// each endpoint, or one for all, or none.
type Watch struct {
	Hosts    []Host   `json:"hosts,omitempty"`     // none: this machine
	Process  string   `json:"process,omitempty"`   // name to look for; or:
	PIDFiles []string `json:"pid_files,omitempty"` // absolute paths there, as those below
	Data     []string `json:"data,omitempty"`      // data folders, for their disks and their size
	Logs     []string `json:"logs,omitempty"`      // files that the markers are looked for in
}

// Host is the machine of endpoint i; nil: this one.
func (w *Watch) Host(i int) *Host {
	switch len(w.Hosts) {
	case 0:
		return nil
	case 1:
		return &w.Hosts[0]
	}
	return &w.Hosts[i]
}

// PIDFile is that of endpoint i; empty: none.
func (w *Watch) PIDFile(i int) string { return nth(w.PIDFiles, i) }

// DataFolder is that of endpoint i; empty: not known.
func (w *Watch) DataFolder(i int) string { return nth(w.Data, i) }

// Log is that of endpoint i; empty: not known.
func (w *Watch) Log(i int) string { return nth(w.Logs, i) }

func nth(list []string, i int) string {
	switch len(list) {
	case 0:
		return ""
	case 1:
		return list[0]
	}
	return list[i]
}

func (c *checker) watch(k *Cluster) {
	w := k.Watch
	if w == nil {
		return
	}
	if len(k.Endpoints) == 0 {
		c.add(k.Pos, "process", "cluster %s: process, pidfile, data and log are of a cluster that runs already: give its endpoints", k.Label)
		return
	}
	if (w.Process == "") == (len(w.PIDFiles) == 0) {
		c.add(k.Pos, "process", "cluster %s: its processes are found either by process = \"NAME\" or by pidfile = \"PATH\"", k.Label)
	}
	for _, l := range []struct {
		name  string
		n     int
		paths []string
	}{{"hosts", len(w.Hosts), nil}, {"pidfile", len(w.PIDFiles), w.PIDFiles}, {"data", len(w.Data), w.Data}, {"log", len(w.Logs), w.Logs}} {
		if l.n > 1 && l.n != len(k.Endpoints) {
			c.add(k.Pos, l.name, "cluster %s: %s: there are %d endpoints, so give one for each or one for all, got %d", k.Label, l.name, len(k.Endpoints), l.n)
		}
		for _, path := range l.paths {
			if !strings.HasPrefix(path, "/") {
				c.add(k.Pos, l.name, "cluster %s: %s: want an absolute path, got %q", k.Label, l.name, path)
			}
		}
	}
}

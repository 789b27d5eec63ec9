package doctor

import (
	"io/fs"
	"strings"
)

// Embedded names the stores whose servers are part of the kvscen binary.
func Embedded(names []string) Check {
	return Check{Name: "embedded", Text: "servers in this binary: " + strings.Join(names, ", ")}
}

// program is a store's server, or what one needs, as it is commonly installed.
type program struct {
	name string   // on the PATH
	jars []string // or: patterns below the root
	use  string   // what it is good for
}

func programs() []program {
	return []program{
		{name: "etcd", use: "etcd(binary = \"etcd\") measures it instead of the embedded one"},
		{name: "java", use: "runs zookeeper and cassandra"},
		{name: "zookeeper", jars: []string{"usr/share/java/zookeeper*.jar", "opt/zookeeper/lib/zookeeper*.jar"}},
		{name: "consul", use: "runs consul"},
		{name: "cassandra", jars: []string{"usr/share/cassandra/*.jar", "opt/cassandra/lib/apache-cassandra*.jar"}},
	}
}

// Programs looks for the servers that are not part of kvscen. None of them is
// needed for the scenarios that come with it as they stand.
func Programs(m Machine) []Check {
	var checks []Check
	for _, p := range programs() {
		checks = append(checks, p.check(m))
	}
	return checks
}

func (p program) check(m Machine) Check {
	c := Check{Name: p.name, Status: Info, Text: "not installed", Advice: p.use}
	if path, err := m.LookPath(p.name); err == nil {
		c.Status, c.Text, c.Advice = OK, path, ""
		return c
	}
	for _, pattern := range p.jars {
		if found, err := fs.Glob(m.Files, pattern); err == nil && len(found) > 0 {
			c.Status, c.Text, c.Advice = OK, "/"+found[0], ""
			return c
		}
	}
	return c
}

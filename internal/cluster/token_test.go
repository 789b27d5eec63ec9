package cluster

import (
	"errors"
	"strings"
	"testing"

	"github.com/kvscen/kvscen/internal/host"
	"github.com/kvscen/kvscen/internal/plan"
)

// programs is a machine's finder: names to paths.
type programs struct {
	host.Local
	paths map[string]string
}

func (p programs) LookPath(name string) (string, error) {
	if path, ok := p.paths[name]; ok {
		return path, nil
	}
	return "", errors.New("not in PATH")
}

func (p programs) Glob(pattern string) ([]string, error) {
	if pattern == "/lib/*.jar" {
		return []string{"/lib/a.jar", "/lib/b.jar"}, nil
	}
	return nil, nil
}

// testResolver knows two nodes. Ports that it does not know yet fail: they have no
// folder for locks.
func testResolver() *resolver {
	taken := &ports{blocks: &fileLocks{dir: "/dev/null"}, n: 100, byRef: map[string]int{"m1.port.client": 10001, "m1.b.port.client": 10002}}
	at := place{
		machine: programs{paths: map[string]string{"java": "/usr/bin/java"}}, ports: taken, ip: "127.0.0.1", dir: "/data/m1",
		self: func() (string, error) { return "/bin/kvscen", nil },
	}
	return &resolver{at: at, nodes: map[string]place{"m1": at, "m1.b": {ports: taken, ip: "127.0.0.2", dir: "/data/m1.b"}, "six": {ip: "fd00::1"}}}
}

func TestSubstitute(t *testing.T) {
	tests := []struct{ text, want, err string }{
		{"", "", ""},
		{"plain ${HOME} $", "plain ${HOME} $", ""},
		{"${kvscen:self}", "/bin/kvscen", ""},
		{"http://${kvscen:m1.ip}:${kvscen:m1.port.client}/x", "http://127.0.0.1:10001/x", ""},
		{"${kvscen:m1.b.ip}:${kvscen:m1.b.port.client}", "127.0.0.2:10002", ""},
		{"http://${kvscen:six.ip}:${kvscen:m1.port.client}", "http://[fd00::1]:10001", ""},
		{"${kvscen:six.ip}", "fd00::1", ""},
		{"${kvscen:m1.dir}/wal", "/data/m1/wal", ""},
		{"${kvscen:find:java}", "/usr/bin/java", ""},
		{"-cp ${kvscen:glob:/lib/*.jar}", "-cp /lib/a.jar:/lib/b.jar", ""},
		{"${kvscen:find:etcd}", "", `the reference ${kvscen:find:etcd}: not in PATH`},
		{"${kvscen:glob:/none/*}", "", "no file matches"},
		{"${kvscen:m2.ip}", "", "the reference ${kvscen:m2.ip}: there is no such node"},
		{"${kvscen:m1.cpu}", "", `a node has no "cpu"`},
		{"${kvscen:m1.port.}", "", `a node has no "port."`},
		{"${kvscen:m1}", "", `a node has no ""`},
		{"${kvscen:}", "", "no such node"},
		{"a ${kvscen:m1.ip", "", `the reference "${kvscen:m1.ip" has no end`},
	}
	r := testResolver()
	for _, test := range tests {
		got, err := substitute(test.text, r.resolve)
		if test.err == "" && (err != nil || got != test.want) {
			t.Errorf("%q becomes %q, %v; want %q", test.text, got, err, test.want)
		}
		if test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
			t.Errorf("%q: %v; want %q", test.text, err, test.err)
		}
	}
}

// What is put in is not looked at again.
func TestSubstituteOnce(t *testing.T) {
	got, err := substitute("<${kvscen:x}>", func(string) (string, error) { return plan.Token("y"), nil })
	if want := "<" + plan.Token("y") + ">"; err != nil || got != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}

func FuzzSubstitute(f *testing.F) {
	for _, seed := range []string{"", "a${kvscen:m1.ip}b", "${kvscen:", "${kvscen:}}", "${kvscen:${kvscen:self}}", "$${kvscen:glob:[}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		same, err := substitute(text, func(ref string) (string, error) { return plan.Token(ref), nil })
		if err == nil && same != text {
			t.Errorf("%q becomes %q", text, same)
		}
		if got, err := substitute(text, testResolver().resolve); err == nil && !strings.Contains(text, plan.TokenOpen) && got != text {
			t.Errorf("%q without a token becomes %q", text, got)
		}
	})
}

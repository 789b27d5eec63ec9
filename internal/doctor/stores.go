package doctor

import (
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/kvscen/kvscen/internal/plan"
)

// Store is a recipe and what it needs.
type Store struct {
	Name      string
	InProcess bool   // it lives in kvscen's own process
	Built     string // version of what is built in; empty: not known, or nothing is
	Requires  plan.Requires
}

// Presence is what was found of a store's members.
type Presence struct {
	Here    bool     // members can be started on this machine
	Found   []string // "embedded in kvscen", "/usr/bin/etcd": what they are made of
	Version string   // of what is started where nothing else is asked for; empty: not known
	Missing []string // "etcd is not on the PATH"
}

// Look finds out whether the members of a store can be started on a machine.
// The version is asked for only where it is wanted, for that starts a program.
func (s *Store) Look(m Machine, wantVersion bool) Presence {
	p := Presence{Version: s.Built}
	r := &s.Requires
	if s.InProcess {
		p.Here, p.Found = true, []string{"in kvscen's own process"}
		return p
	}
	if r.Embedded {
		p.Found = append(p.Found, "embedded in kvscen")
	}
	var files []string
	for _, name := range r.Programs {
		if found, err := m.LookPath(name); err == nil {
			p.Found = append(p.Found, found)
		} else {
			p.Missing = append(p.Missing, name+" is not on the PATH")
		}
	}
	for _, pattern := range r.Files {
		if found := m.glob(pattern); len(found) > 0 {
			files = append(files, found...)
		} else {
			p.Missing = append(p.Missing, "no file is called "+pattern)
		}
	}
	p.Found = append(p.Found, files...)
	for _, name := range r.Arguments {
		p.Missing = append(p.Missing, "a program is to be given: "+name+" = PATH")
	}
	p.Here = r.Embedded || len(p.Missing) == 0
	if !wantVersion || len(p.Missing) > 0 {
		return p
	}
	switch v := versionOf(m, r.Version, files); {
	case !r.Embedded:
		p.Version = v
	case v != "":
		p.Found[len(p.Found)-1] += " (" + v + ")"
	}
	return p
}

// Install says how to get what a store needs, a line a system.
func Install(r *plan.Requires) []string {
	var lines []string
	for _, l := range []struct{ system, text string }{{"Debian", r.Debian}, {"macOS", r.MacOS}, {"elsewhere", r.Elsewhere}} {
		if l.text != "" {
			lines = append(lines, l.system+": "+l.text)
		}
	}
	return lines
}

// glob finds the files that match a pattern, with the slash at their start.
func (m Machine) glob(pattern string) []string {
	found, err := fs.Glob(m.Files, strings.TrimPrefix(pattern, "/"))
	if err != nil {
		return nil
	}
	for i, f := range found {
		found[i] = "/" + f
	}
	return found
}

// versionOf asks a program for its version, or reads it off the first file that
// is called by one, or that has another name beside it that is: NAME.jar is often
// NAME-3.8.0.jar too.
func versionOf(m Machine, command, files []string) string {
	number := regexp.MustCompile(`\d+\.\d+(\.\d+)*`)
	if len(command) > 0 {
		text, err := m.Run(command)
		if err != nil {
			return ""
		}
		return number.FindString(text)
	}
	for _, f := range files {
		ending := path.Ext(f)
		names := append([]string{f}, m.glob(strings.TrimSuffix(f, ending)+"-[0-9]*"+ending)...)
		for _, name := range names {
			if v := number.FindString(path.Base(name)); v != "" {
				return v
			}
		}
	}
	return ""
}

// Stores says of each store whose members need something whether it is there.
// None is needed for the scenarios that come with kvscen as they stand.
func Stores(m Machine, stores []Store) []Check {
	var checks []Check
	for i := range stores {
		s := &stores[i]
		if r := &s.Requires; len(r.Programs)+len(r.Files)+len(r.Arguments) == 0 {
			continue
		}
		c := Check{Name: s.Name}
		p := s.Look(m, false)
		c.Text = strings.Join(p.Found, ", ")
		if len(p.Missing) > 0 {
			c.Status = Info
			c.Text = strings.Join(append(p.Found, p.Missing...), ", ")
			c.Advice = strings.Join(Install(&s.Requires), "; ")
		}
		checks = append(checks, c)
	}
	return checks
}

// Embedded names the stores whose servers are part of the kvscen binary.
func Embedded(names []string) Check {
	return Check{Name: "embedded", Text: "servers in this binary: " + strings.Join(names, ", ")}
}

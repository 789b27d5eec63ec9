package sshlink

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/kevinburke/ssh_config"
)

// Target is a machine as the user names it. What is empty or 0 is for
// ssh_config to say, and else for the defaults.
type Target struct {
	Addr string // name, address, or a Host of ssh_config
	User string
	Port int
	Key  string // file of the private key
}

// route is how a target is reached.
type route struct {
	name     string // as the user named it
	host     string // HostName
	port     int
	user     string
	keys     []string
	keysOnly bool   // IdentitiesOnly: of the agent's keys only those named
	agent    string // socket
	known    []string
	alias    string // HostKeyAlias: name in known_hosts
	jumps    []Target
}

func (r route) addr() string { return net.JoinHostPort(r.host, strconv.Itoa(r.port)) }

// knownAs is the name under which known_hosts has the machine.
func (r route) knownAs() string {
	return net.JoinHostPort(cmp.Or(r.alias, r.host), strconv.Itoa(r.port))
}

// config is ssh_config's files, the first value of a keyword counts.
type config []*ssh_config.Config

func readConfig(paths []string) (config, error) {
	var c config
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read the SSH configuration: %w", err)
		}
		parsed, err := ssh_config.DecodeBytes(text)
		if err != nil {
			return nil, fmt.Errorf("read the SSH configuration %s: %w", path, err)
		}
		c = append(c, parsed)
	}
	return c, nil
}

// lookup is a keyword of one host; the first error is kept.
type lookup struct {
	config config
	name   string
	err    error
}

func (l *lookup) get(keyword string) string {
	for _, c := range l.config {
		v, err := c.Get(l.name, keyword)
		if err != nil && l.err == nil {
			l.err = fmt.Errorf("read %s of %s from the SSH configuration: %w", keyword, l.name, err)
		}
		if v != "" {
			return v
		}
	}
	return ""
}

func (l *lookup) all(keyword string) []string {
	var list []string
	for _, c := range l.config {
		v, err := c.GetAll(l.name, keyword)
		if err != nil && l.err == nil {
			l.err = fmt.Errorf("read %s of %s from the SSH configuration: %w", keyword, l.name, err)
		}
		list = append(list, v...)
	}
	return list
}

// route finds out how a target is reached.
func (s Settings) route(t Target) (route, error) {
	c, err := readConfig(s.Configs)
	if err != nil {
		return route{}, err
	}
	l := &lookup{config: c, name: t.Addr}
	r := route{
		name: t.Addr,
		user: cmp.Or(t.User, l.get("User"), s.User),
		host: strings.ReplaceAll(cmp.Or(l.get("HostName"), t.Addr), "%h", t.Addr),
		port: t.Port, alias: l.get("HostKeyAlias"),
		keysOnly: strings.EqualFold(l.get("IdentitiesOnly"), "yes"),
	}
	if text := l.get("Port"); r.port == 0 && text != "" {
		if r.port, err = strconv.Atoi(text); err != nil {
			return r, fmt.Errorf("read Port of %s from the SSH configuration: %q is no number", t.Addr, text)
		}
	}
	r.port = cmp.Or(r.port, 22)
	s.identities(&r, l, t.Key)
	s.known(&r, l)
	jump := l.get("ProxyJump")
	if jump == "" && !none(l.get("ProxyCommand")) {
		return r, fmt.Errorf("%s: the SSH configuration gives it a ProxyCommand, which is not supported; ProxyJump is", t.Addr)
	}
	if !none(jump) {
		if r.jumps, err = parseJumps(jump); err != nil {
			return r, fmt.Errorf("read ProxyJump of %s from the SSH configuration: %w", t.Addr, err)
		}
	}
	return r, l.err
}

func none(value string) bool { return value == "" || strings.EqualFold(value, "none") }

// identities finds the keys to try.
func (s Settings) identities(r *route, l *lookup, key string) {
	switch r.agent = l.get("IdentityAgent"); {
	case r.agent == "", r.agent == "SSH_AUTH_SOCK":
		r.agent = s.Agent
	case none(r.agent):
		r.agent = ""
	default:
		r.agent = s.expand(r.agent, r)
	}
	if key != "" {
		r.keys = []string{s.expand(key, r)}
		return
	}
	for _, file := range l.all("IdentityFile") {
		r.keys = append(r.keys, s.expand(file, r))
	}
	if len(r.keys) == 0 {
		r.keys = s.Keys
	}
}

// known finds the files of known hosts.
func (s Settings) known(r *route, l *lookup) {
	for _, keyword := range []string{"UserKnownHostsFile", "GlobalKnownHostsFile"} {
		for file := range strings.FieldsSeq(l.get(keyword)) {
			r.known = append(r.known, s.expand(file, r))
		}
	}
	if len(r.known) == 0 {
		r.known = s.KnownHosts
	}
}

// expand replaces ~ and the percent signs of a file name.
func (s Settings) expand(file string, r *route) string {
	file = strings.NewReplacer("%%", "%", "%d", s.Home, "%h", r.host, "%n", r.name,
		"%p", strconv.Itoa(r.port), "%r", r.user, "%u", s.User).Replace(file)
	if rest, ok := strings.CutPrefix(file, "~/"); ok {
		file = filepath.Join(s.Home, rest)
	}
	return file
}

// parseJumps reads [user@]host[:port], several of them separated by commas, also
// in the form of URLs.
func parseJumps(text string) ([]Target, error) {
	var jumps []Target
	for hop := range strings.SplitSeq(text, ",") {
		t, err := ParseTarget(strings.TrimPrefix(strings.TrimSpace(hop), "ssh://"))
		if err != nil {
			return nil, err
		}
		jumps = append(jumps, t)
	}
	return jumps, nil
}

// ParseTarget reads [user@]host[:port]; the address of IPv6 stands in brackets
// where a port follows.
func ParseTarget(text string) (Target, error) {
	var t Target
	if i := strings.LastIndexByte(text, '@'); i >= 0 {
		t.User, text = text[:i], text[i+1:]
	}
	t.Addr = text
	if host, port, err := net.SplitHostPort(text); err == nil {
		n, err := strconv.Atoi(port)
		if err != nil || n < 1 || n > 65535 {
			return t, fmt.Errorf("want [user@]host[:port], got port %q", port)
		}
		t.Addr, t.Port = host, n
	}
	t.Addr = strings.TrimSuffix(strings.TrimPrefix(t.Addr, "["), "]")
	if t.Addr == "" || strings.ContainsAny(t.Addr, " \t/") {
		return t, fmt.Errorf("want [user@]host[:port], got %q", text)
	}
	return t, nil
}

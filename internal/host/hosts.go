package host

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/kvscen/kvscen/internal/host/sshlink"
)

// Spec is a machine to work on over SSH.
type Spec struct {
	sshlink.Target
	IP     string // address among members and for clients; empty: the one that the connection goes to
	Dir    string // folder below which all goes, relative to the home folder; empty: ".kvscen" there
	Sudo   bool   // do everything as root, by sudo without a password
	Upload bool   // copy our own binary there: the guard, and embedded members
}

// Config is what belongs to all machines of a run.
type Config struct {
	Self string // path of our own binary
	Run  string // name of the run, and of its folder there
	SSH  sshlink.Settings
}

// Hosts are the machines of a run. Each is connected to when it is first asked
// for, and stays so until Close.
type Hosts struct {
	cfg    Config
	dialer *sshlink.Dialer
	self   binaries

	mu      sync.Mutex
	remotes map[Spec]*remoteOnce
}

// remoteOnce has each machine connected to once, and others at the same time.
type remoteOnce struct {
	sync.Mutex
	remote *Remote
}

// NewHosts connects to nothing yet.
func NewHosts(cfg Config) *Hosts {
	return &Hosts{
		cfg: cfg, dialer: sshlink.NewDialer(cfg.SSH), self: binaries{self: cfg.Self},
		remotes: make(map[Spec]*remoteOnce),
	}
}

// Get is the machine of a spec, connected to and made ready. One that was lost
// is connected to anew.
func (h *Hosts) Get(ctx context.Context, s Spec) (*Remote, error) {
	h.mu.Lock()
	once := h.remotes[s]
	if once == nil {
		once = &remoteOnce{}
		h.remotes[s] = once
	}
	h.mu.Unlock()
	once.Lock()
	defer once.Unlock()
	if r := once.remote; r != nil {
		if r.link.Err() == nil {
			return r, nil
		}
		r.link.Close()
		once.remote = nil
	}
	r, err := h.connect(ctx, s)
	if err != nil {
		return nil, err
	}
	once.remote = r
	return r, nil
}

// All lists the machines that are connected.
func (h *Hosts) All() []*Remote {
	h.mu.Lock()
	defer h.mu.Unlock()
	var list []*Remote
	for _, once := range h.remotes {
		once.Lock()
		if once.remote != nil {
			list = append(list, once.remote)
		}
		once.Unlock()
	}
	return list
}

// Close ends all connections.
func (h *Hosts) Close() {
	for _, r := range h.All() {
		r.link.Close()
	}
}

// connect makes a machine ready.
func (h *Hosts) connect(ctx context.Context, s Spec) (*Remote, error) {
	if h.cfg.Run == "" {
		return nil, errors.New("connect to a machine: the run has no name")
	}
	link, err := h.dialer.Dial(ctx, s.Target)
	if err != nil {
		return nil, err
	}
	r := &Remote{link: link, spec: s, run: h.cfg.Run}
	if err := r.explore(ctx); err == nil && s.Upload {
		err = r.upload(ctx, &h.self)
		if err != nil {
			link.Close()
			return nil, err
		}
	} else if err != nil {
		link.Close()
		return nil, fmt.Errorf("%s: %w", r.Name(), err)
	}
	return r, nil
}

// LostName names the machine whose connection was lost, where that is what an
// error says.
func LostName(err error) (name string, lost bool) {
	e, ok := errors.AsType[*sshlink.LostError](err)
	if !ok {
		return "", false
	}
	return e.Name, true
}

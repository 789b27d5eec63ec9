package engine

import (
	"context"
	"slices"
	"time"

	"github.com/kvscen/kvscen/engine/sample"
	"github.com/kvscen/kvscen/internal/cluster"
	"github.com/kvscen/kvscen/internal/host"
	"github.com/kvscen/kvscen/internal/procfs"
)

// sampleWithin is how long a machine may take to answer: a sample each second
// waits for all of them.
const sampleWithin = 900 * time.Millisecond

// sampled makes the machines of the members readable, each by one session that
// lasts until the cluster is brought down. One that can't be read has figures
// that are n/a, and a warning.
func (s *session) sampled(ctx context.Context, u *up) []sample.Host {
	var hosts []sample.Host
	for _, r := range u.machines() {
		h, err := s.sampledHost(ctx, u, r)
		if err != nil {
			s.note(Event{Kind: KindWarning, Text: r.Name() + " is not sampled: " + err.Error()})
			continue
		}
		hosts = append(hosts, h)
	}
	return hosts
}

// machines lists the other machines that members run on, each once.
func (u *up) machines() []*host.Remote {
	var list []*host.Remote
	for _, m := range u.members {
		if m.Remote != nil && !slices.Contains(list, m.Remote) {
			list = append(list, m.Remote)
		}
	}
	return list
}

func (s *session) sampledHost(ctx context.Context, u *up, r *host.Remote) (sample.Host, error) {
	session, err := r.Loop(ctx, procfs.MirrorScript)
	if err != nil {
		return sample.Host{}, err
	}
	mirror, err := procfs.NewMirror(session.Stdin, session.Stdout, sampleWithin)
	if err != nil {
		session.Close()
		return sample.Host{}, err
	}
	u.mirrors = append(u.mirrors, func() error {
		session.Close()
		return mirror.Close()
	})
	h := sample.Host{Name: r.Name(), Source: mirror}
	for _, m := range u.members {
		if m.Remote != r || m.Data == "" {
			continue
		}
		dir, err := r.RealPath(m.Data)
		if err != nil {
			h.NoDisk = err
			continue
		}
		dev, err := procfs.FindDeviceElsewhere(mirror, dir, r.DeviceOf)
		if err != nil {
			h.NoDisk = err
		} else if !slices.Contains(h.Devices, dev.Name) {
			h.Devices = append(h.Devices, dev.Name)
		}
	}
	// Without it its bytes are n/a.
	name, loopback, err := procfs.FindInterface(mirror, r.IP())
	if err == nil && !loopback {
		h.Interface = name
	}
	return h, nil
}

// closeMirrors ends the sessions of sampling.
func (u *up) closeMirrors() {
	for _, closeMirror := range u.mirrors {
		_ = closeMirror() // a folder of copies is left behind at most
	}
	u.mirrors = nil
}

// hostOf names the machine of a member: of endpoints on machines that nobody told
// us of by their address.
func (s *session) hostOf(m cluster.Member) string {
	if m.Remote != nil {
		return m.Remote.Name()
	}
	if len(s.plan.Cluster.Endpoints) == 0 {
		return sample.Local
	}
	if _, loopback, err := sample.Route(m.Endpoint); err == nil && loopback {
		return sample.Local
	}
	return m.Endpoint
}

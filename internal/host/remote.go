package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/kvscen/kvscen/internal/host/sshlink"
)

// Remote is a machine reached over SSH. It needs no more there than a POSIX
// shell and the usual small programs. What it starts does not outlive us:
//
//   - with upload the guard runs there. It ends what it guards when our
//     connection ends, and after heartbeatLimit without a byte from us, because a
//     machine that is cut off is sent no end.
//   - without, a shell does its part: it ends the program's session (setsid) when
//     the connection ends. While the machine is cut off from us the program goes
//     on, until sshd gives the connection up; and what left the session is not
//     found.
//
// Everything lies below one folder, <dir>/runs/RUN, and every process has
// RunVariable in its environment, so that leftovers can be told.
type Remote struct {
	link *sshlink.Link
	spec Spec
	run  string

	home, base string // folders there: of the user, and ours
	ip         string
	arch       string // in Go's words
	zone       *time.Location
	self       string // our binary there; empty: not uploaded
}

// RunVariable is in the environment of every process that is started on a
// machine over SSH; it holds the folder of the run there.
const RunVariable = "KVSCEN_RUN"

// defaultBase is our folder below the user's.
const defaultBase = ".kvscen"

// Name is the machine as the user named it.
func (r *Remote) Name() string { return r.link.Name() }

// IP is its address among members and for clients.
func (r *Remote) IP() string { return r.ip }

// Zone is that of its local time now.
func (r *Remote) Zone() *time.Location { return r.zone }

// Self is the path of our binary there.
func (r *Remote) Self() (string, error) {
	if r.self == "" {
		return "", fmt.Errorf("kvscen itself is not on %s: members that are part of it, and its guard, need upload = True", r.Name())
	}
	return r.self, nil
}

// Folder is the absolute path of a folder of this run there.
func (r *Remote) Folder(name string) string { return path.Join(r.base, "runs", r.run, name) }

// Lost is closed when the connection has ended.
func (r *Remote) Lost() <-chan struct{} { return r.link.Lost() }

// Err says why the connection has ended; nil: it has not.
func (r *Remote) Err() error { return r.link.Err() }

// LostError is the end of the connection, with the machine's name.
func (r *Remote) LostError() error { return &sshlink.LostError{Name: r.Name(), Err: r.Err()} }

// Session starts a script of the POSIX shell that goes on.
func (r *Remote) Session(ctx context.Context, script string) (*sshlink.Session, error) {
	return r.link.Start(ctx, script, r.spec.Sudo)
}

// Run runs a script of the POSIX shell to its end, and returns what it prints.
func (r *Remote) Run(ctx context.Context, script string) (string, error) {
	out, err := r.link.Run(ctx, sshlink.Command{Script: script, Sudo: r.spec.Sudo})
	return string(out), err
}

// explore finds out where it is, and what it is.
func (r *Remote) explore(ctx context.Context) error {
	// sudo hides the variables of the login.
	out, err := r.link.Run(ctx, sshlink.Command{Script: `uname -s; uname -m; printf '%s\n' "$HOME" "$SSH_CONNECTION"; date +%z`})
	if err != nil {
		return err
	}
	lines := strings.Split(string(out), "\n")
	if len(lines) < 5 || !path.IsAbs(lines[2]) {
		return fmt.Errorf("it answers %q when it is asked what it is", out)
	}
	if lines[0] != "Linux" {
		return fmt.Errorf("it runs %s: members are started on Linux alone", lines[0])
	}
	r.arch, r.home, r.zone = architecture(lines[1]), lines[2], time.UTC
	if there, err := time.Parse("-0700", lines[4]); err == nil {
		_, offset := there.Zone()
		r.zone = time.FixedZone("", offset)
	}
	r.base = path.Join(r.home, defaultBase)
	if dir := r.spec.Dir; dir != "" {
		if !path.IsAbs(dir) {
			dir = path.Join(r.home, dir)
		}
		r.base = path.Join(dir, "kvscen")
	}
	r.ip = cmp.Or(r.spec.IP, r.link.Address())
	if fields := strings.Fields(lines[3]); r.ip == "" && len(fields) == 4 {
		r.ip = fields[2] // where the jump host reaches it
	}
	if r.ip == "" {
		return errors.New("its address is not known: say it with ip=")
	}
	return r.checkSudo(ctx)
}

// checkSudo proves that commands can be run as root where that is asked for.
func (r *Remote) checkSudo(ctx context.Context) error {
	if !r.spec.Sudo {
		return nil
	}
	_, err := r.link.Run(ctx, sshlink.Command{Script: "command -v sudo >/dev/null"})
	if _, missing := errors.AsType[*sshlink.ExitError](err); missing {
		return errors.New("sudo is asked for, but it is not installed there: install it, or log in as root without it")
	}
	if err != nil {
		return err
	}
	if _, err = r.Run(ctx, "true"); err != nil {
		return fmt.Errorf("sudo does not run commands there without a password (a line such as \"%s ALL=(ALL) NOPASSWD: ALL\" of sudoers allows it): %w", r.link.User(), err)
	}
	return nil
}

// architecture is the machine name of uname in Go's words.
func architecture(machine string) string {
	switch machine {
	case "x86_64":
		return "amd64"
	case "aarch64":
		return "arm64"
	}
	return machine
}

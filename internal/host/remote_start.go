package host

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/kvscen/kvscen/internal/host/sshlink"
)

const (
	heartbeatEvery = time.Second
	heartbeatLimit = 10 * time.Second // silence after which a guard ends what it guards
)

// Start starts a program there under a guard, and returns as soon as it runs.
func (r *Remote) Start(ctx context.Context, c Command) (Process, error) {
	if len(c.Argv) == 0 {
		return nil, errors.New("start a program: no command line")
	}
	if _, err := parseSignal(cmp.Or(c.Signal, defaultSignal)); err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Argv[0], err)
	}
	script := r.guarded(c)
	if r.self == "" {
		script = r.shellGuarded(c)
	}
	session, err := r.Session(ctx, script)
	if err != nil {
		return nil, fmt.Errorf("start %s under its guard: %w", c.Argv[0], err)
	}
	p := &remoteProcess{
		remote: r, session: session,
		running: make(chan struct{}), done: make(chan struct{}), gone: make(chan struct{}), quiet: make(chan struct{}),
	}
	go p.follow()
	ctx, cancel := context.WithTimeoutCause(ctx, startLimit, fmt.Errorf("its guard said nothing for %v", startLimit))
	defer cancel()
	select {
	case <-p.running:
		return p, nil
	case <-p.done:
		return nil, errors.Join(p.err, p.Stop(ctx))
	case <-ctx.Done():
		cause := context.Cause(ctx)
		return nil, errors.Join(fmt.Errorf("start %s: %w", c.Argv[0], cause), p.Stop(ctx))
	}
}

// guarded is the script of a program under our guard, which inherits the
// session's input as its lifeline and its output for its reports.
func (r *Remote) guarded(c Command) string {
	argv := []string{
		r.self, GuardCommand,
		"--signal", cmp.Or(c.Signal, defaultSignal), "--grace", cmp.Or(c.Grace, DefaultGrace).String(),
		"--heartbeat", heartbeatLimit.String(), "--lifeline", "3", "--status", "4", "--",
	}
	return r.redirected(c) + "exec " + r.clean(c, append(argv, c.Argv...))
}

// redirected is the beginning of a script that leaves its output to the log.
func (r *Remote) redirected(c Command) string {
	return fmt.Sprintf("cd %s || exit 1\nexec 3<&0 4>&1 </dev/null >>%s 2>&1 || exit 1\necho guard $$ >&4\n",
		sshlink.Quote(c.Dir), sshlink.Quote(c.Log))
}

// clean is a command that has the same few variables as a program on this
// machine has, with our mark.
func (r *Remote) clean(c Command, argv []string) string {
	var b strings.Builder
	b.WriteString("env -i ")
	for _, name := range passedVariables() {
		fmt.Fprintf(&b, `${%[1]s+"%[1]s=$%[1]s"} `, name)
	}
	b.WriteString(sshlink.Quote(RunVariable+"="+r.Folder("")) + " ")
	for _, name := range slices.Sorted(maps.Keys(c.Env)) {
		b.WriteString(sshlink.Quote(name+"="+c.Env[name]) + " ")
	}
	if strings.Contains(argv[0], "=") {
		b.WriteString(`/bin/sh -c 'exec "$0" "$@"' `) // or env takes it for a variable
	}
	return b.String() + sshlink.Words(argv...)
}

// remoteProcess is a program under a guard on another machine.
type remoteProcess struct {
	remote  *Remote
	session *sshlink.Session
	running chan struct{}
	done    chan struct{} // the program has ended, or is lost; err is set
	gone    chan struct{} // and so has everything that we can see
	quiet   chan struct{} // no heartbeat any more
	guard   int           // pid; set before running is closed
	pid     int           //
	err     error
	release sync.Once
	asked   bool // it was still running when it was asked to end
}

func (p *remoteProcess) PID() int              { return p.pid }
func (p *remoteProcess) Done() <-chan struct{} { return p.done }

func (p *remoteProcess) Err() error {
	select {
	case <-p.done:
		return p.err
	default:
		return nil
	}
}

// follow reads what the guard reports until the session ends, and keeps its
// heart beating meanwhile.
func (p *remoteProcess) follow() {
	defer p.session.Close()
	var beats sync.WaitGroup
	ended := make(chan struct{})
	beats.Go(func() { p.beat(ended) })
	finished := false
	finish := func(err error) {
		if !finished {
			finished, p.err = true, err
			close(p.done)
		}
	}
	for lines := bufio.NewScanner(p.session.Stdout); lines.Scan(); {
		if pid, ok := strings.CutPrefix(lines.Text(), "guard "); ok {
			p.guard, _ = strconv.Atoi(pid) // 0: it can't be told to hurry
			continue
		}
		s, err := parseStatus(lines.Text())
		switch {
		case err != nil:
			finish(err)
		case s.pid > 0 && p.pid == 0:
			p.pid = s.pid
			close(p.running)
		case s.pid == 0:
			finish(s.err)
		}
	}
	if !finished {
		finish(p.lost())
	}
	close(ended)
	beats.Wait()
	close(p.gone)
}

// lost says why the reports ended before the program did.
func (p *remoteProcess) lost() error {
	// The end of the output and that of the connection come in either order.
	select {
	case <-p.remote.Lost():
		return p.remote.LostError()
	case <-time.After(time.Second):
	}
	if text := p.session.Complaints(); text != "" {
		return errors.New(text)
	}
	if p.pid == 0 {
		return errors.New("its guard ended before the program ran")
	}
	return errors.New("its guard was killed, and the program with it")
}

// beat tells the guard that we are there.
func (p *remoteProcess) beat(ended <-chan struct{}) {
	tick := time.NewTicker(heartbeatEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if _, err := io.WriteString(p.session.Stdin, "."); err != nil {
				return // the reports say why
			}
		case <-p.quiet:
			return
		case <-ended:
			return
		}
	}
}

// Stop ends the session's input, which makes the guard stop the program.
func (p *remoteProcess) Stop(ctx context.Context) error {
	p.release.Do(func() {
		select {
		case <-p.done:
		default:
			p.asked = true
		}
		close(p.quiet)
		_ = p.session.Stdin.Close() // the guard may have ended
	})
	select {
	case <-p.gone:
		return p.killed()
	case <-ctx.Done():
	}
	return p.kill()
}

// kill ends the grace: SIGQUIT tells our guard so, and a shell in its place gets
// the program's session killed.
func (p *remoteProcess) kill() error {
	limit, running := time.After(killLimit), p.running
	for {
		select {
		case <-p.gone:
			return nil
		case <-running:
			running = nil
			if p.remote.self == "" {
				_, _ = p.remote.sh("kill -s KILL -- -%d", p.pid) // it may have ended
			} else if p.guard > 0 {
				_, _ = p.remote.sh("kill -s QUIT %d", p.guard)
			}
		case <-limit:
			return fmt.Errorf("it, or what it started, is still there %v after it was killed", killLimit)
		}
	}
}

// killed tells the end of a program that outstayed its grace, or that can't be
// seen.
func (p *remoteProcess) killed() error {
	if lost, ok := errors.AsType[*sshlink.LostError](p.err); ok {
		return fmt.Errorf("it can't be seen to end: %w", lost)
	}
	if exit, ok := errors.AsType[*ExitError](p.err); ok && p.asked && exit.Signal == "SIGKILL" {
		return errors.New("it did not end within its grace and was killed")
	}
	return nil
}

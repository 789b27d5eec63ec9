package host

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

const (
	startLimit = 10 * time.Second // for the guard to report that the program runs
	killLimit  = 15 * time.Second // for everything to be gone after a kill
)

// Start starts a program under a guard, and returns as soon as it runs.
func (l Local) Start(ctx context.Context, c Command) (Process, error) {
	if len(c.Argv) == 0 {
		return nil, errors.New("start a program: no command line")
	}
	if _, err := parseSignal(cmp.Or(c.Signal, defaultSignal)); err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Argv[0], err)
	}
	p, reports, err := l.launch(c)
	if err != nil {
		return nil, fmt.Errorf("start %s under its guard: %w", c.Argv[0], err)
	}
	go p.follow(reports)
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

// launch starts the outer guard, and returns the process with the end of the
// pipe that the guards report to.
func (l Local) launch(c Command) (*localProcess, *os.File, error) {
	log, err := os.OpenFile(c.Log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, nil, fmt.Errorf("open its log: %w", err)
	}
	defer log.Close()
	lifeline, held, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer lifeline.Close()
	reports, status, err := os.Pipe()
	if err != nil {
		held.Close()
		return nil, nil, err
	}
	defer status.Close()
	cmd := exec.Command(l.Self, guardArgs(c)...)
	cmd.Env, cmd.Dir = environ(c.Env), c.Dir
	cmd.Stdout, cmd.Stderr = log, log
	cmd.ExtraFiles = []*os.File{lifeline, status} // descriptors 3 and 4
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		held.Close()
		reports.Close()
		return nil, nil, err
	}
	return &localProcess{
		guard: cmd, lifeline: held,
		running: make(chan struct{}), done: make(chan struct{}), gone: make(chan struct{}),
	}, reports, nil
}

func guardArgs(c Command) []string {
	return append([]string{
		GuardCommand,
		"--signal", cmp.Or(c.Signal, defaultSignal),
		"--grace", cmp.Or(c.Grace, DefaultGrace).String(),
		"--",
	}, c.Argv...)
}

// localProcess is a program under a guard on this machine.
type localProcess struct {
	guard    *exec.Cmd
	lifeline *os.File // our end; the guards stop the program when it is closed
	running  chan struct{}
	done     chan struct{} // the program has ended; err is set
	gone     chan struct{} // and so has everything
	pid      int           // set before running is closed
	err      error
	release  sync.Once
	asked    bool // it was still running when it was asked to end
}

func (p *localProcess) PID() int              { return p.pid }
func (p *localProcess) Done() <-chan struct{} { return p.done }

func (p *localProcess) Err() error {
	select {
	case <-p.done:
		return p.err
	default:
		return nil
	}
}

// follow reads what the guards report until both are gone.
func (p *localProcess) follow(reports *os.File) {
	defer reports.Close()
	finished := false
	finish := func(err error) {
		if !finished {
			finished, p.err = true, err
			close(p.done)
		}
	}
	for lines := bufio.NewScanner(reports); lines.Scan(); {
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
	if p.pid == 0 {
		finish(errors.New("its guard ended before the program ran"))
	}
	if !finished {
		// Nobody else is left to do it.
		_ = syscall.Kill(-p.pid, syscall.SIGKILL)
		finish(errors.New("both of its guards were killed, and the program with them"))
	}
	_ = p.guard.Wait() // the last report says more than the guard's own exit status
	close(p.gone)
}

// Stop closes the lifeline, which makes the guards stop the program.
func (p *localProcess) Stop(ctx context.Context) error {
	p.release.Do(func() {
		select {
		case <-p.done:
		default:
			p.asked = true
		}
		p.lifeline.Close()
	})
	select {
	case <-p.gone:
		return p.killed()
	case <-ctx.Done():
	}
	return p.kill()
}

// kill ends the grace. A guard that has yet to come up can't be told to, and
// does not need to: it finds its lifeline closed.
func (p *localProcess) kill() error {
	limit, running := time.After(killLimit), p.running
	for {
		select {
		case <-p.gone:
			return nil
		case <-running:
			running = nil
			_ = p.guard.Process.Signal(syscall.SIGQUIT)
		case <-limit:
			return fmt.Errorf("it, or what it started, is still there %v after it was killed", killLimit)
		}
	}
}

// killed tells the end of a program that outstayed its grace.
func (p *localProcess) killed() error {
	if exit, ok := errors.AsType[*ExitError](p.err); ok && p.asked && exit.Signal == "SIGKILL" {
		return errors.New("it did not end within its grace and was killed")
	}
	return nil
}

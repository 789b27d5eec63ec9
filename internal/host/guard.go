package host

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// GuardCommand is the subcommand of our binary under which Guard is called: the
// outer guard starts the inner one by it.
const GuardCommand = "guard"

const (
	exitUsage  = 2                // the guard was called wrongly
	exitFailed = 125              // the program could not be started, or lost its guard
	outerSlack = 15 * time.Second // of the outer guard's patience over the inner one's
)

// guardConfig is what a guard is called with.
type guardConfig struct {
	inner     bool
	signal    syscall.Signal
	grace     time.Duration
	heartbeat time.Duration // longest silence of the lifeline; 0: only its end counts
	lifeline  int
	status    int
	argv      []string
}

// Guard is the whole life of a guard: it starts the program that args name
// after "--", minds it, and returns the exit status for the process when
// nothing of it is left. The package documentation has its protocol. The end of
// ctx means stop. Guard writes what is wrong with args to stderr.
//
// It must be called from the process's own main: it takes over its children and
// its signals, and its caller must end the process when it returns.
func Guard(ctx context.Context, args []string, stderr io.Writer) int {
	cfg, err := parseGuard(args)
	if err != nil {
		fmt.Fprintln(stderr, "kvscen guard:", err)
		return exitUsage
	}
	syscall.CloseOnExec(cfg.lifeline)
	syscall.CloseOnExec(cfg.status)
	out := os.NewFile(uintptr(cfg.status), "status")
	o := gather(ctx, watch(os.NewFile(uintptr(cfg.lifeline), "lifeline"), cfg.heartbeat))
	if err := adoptOrphans(); err != nil {
		failed(err).report(out)
		return exitFailed
	}
	if cfg.inner {
		return guardInner(cfg, o, out)
	}
	return guardOuter(cfg, o, out)
}

func parseGuard(args []string) (guardConfig, error) {
	cfg := guardConfig{signal: syscall.SIGTERM}
	fs := flag.NewFlagSet(GuardCommand, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.BoolVar(&cfg.inner, "inner", false, "be the inner guard")
	fs.DurationVar(&cfg.grace, "grace", DefaultGrace, "from the signal to KILL")
	fs.DurationVar(&cfg.heartbeat, "heartbeat", 0, "longest silence of the lifeline")
	fs.IntVar(&cfg.lifeline, "lifeline", 3, "descriptor whose end means stop")
	fs.IntVar(&cfg.status, "status", 4, "descriptor to report to")
	fs.Func("signal", "that asks the program to end", func(name string) (err error) {
		cfg.signal, err = parseSignal(name)
		return err
	})
	if err := fs.Parse(args); err != nil {
		return cfg, err
	}
	if cfg.argv = fs.Args(); len(cfg.argv) == 0 {
		return cfg, errors.New("no program to run: call it as kvscen guard [FLAG...] -- PROGRAM [ARG...]")
	}
	return cfg, nil
}

// parseSignal reads a signal's name, with or without "SIG".
func parseSignal(name string) (syscall.Signal, error) {
	sig := unix.SignalNum("SIG" + strings.TrimPrefix(name, "SIG"))
	if sig == 0 {
		return 0, fmt.Errorf("unknown signal %q", name)
	}
	return sig, nil
}

// orders are what a guard is told from outside.
type orders struct {
	stop <-chan struct{}  // closed: stop in order
	quit <-chan os.Signal // at once
}

// gather makes orders of the lifeline's end, the end of ctx and signals.
func gather(ctx context.Context, lost <-chan struct{}) orders {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	quit := make(chan os.Signal, 1)
	signal.Notify(quit, syscall.SIGQUIT)
	stop := make(chan struct{})
	go func() {
		defer close(stop)
		select {
		case <-lost:
		case <-asked:
		case <-ctx.Done():
		}
	}()
	return orders{stop: stop, quit: quit}
}

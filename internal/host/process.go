package host

import (
	"context"
	"fmt"
	"time"
)

// Command is a program to run under a guard.
type Command struct {
	Argv   []string          // at least the program; looked up in PATH if it holds no slash
	Env    map[string]string // added to the few variables that every program gets, see environ
	Dir    string            // working folder
	Log    string            // file that stdout and stderr are appended to
	Signal string            // to stop it: "TERM", "INT", "QUIT", "HUP" or "KILL"; empty: TERM
	Grace  time.Duration     // from that signal to KILL; 0: 5 s
}

// DefaultGrace is the grace of a Command that names none.
const DefaultGrace = 5 * time.Second

const defaultSignal = "TERM"

// A Process is a program that was started.
type Process interface {
	// PID is the program's own, not its guard's.
	PID() int
	// Done is closed when the program has ended. What it started may still be
	// on its way out; Stop waits for that.
	Done() <-chan struct{}
	// Err says how the program ended: nil for exit status 0, an *ExitError, or
	// what became of its guard. It is nil until Done is closed.
	Err() error
	// Stop asks the program to end, waits until it and all it started are gone,
	// and kills what is left after the grace, or at once when ctx ends. It may
	// be called again. The error says that the program had to be killed, or
	// that something is left; how it ended otherwise is Err's to say.
	Stop(ctx context.Context) error
}

// ExitError says how a program ended that did not end with status 0.
type ExitError struct {
	Code   int    // exit status; 0 if a signal ended it
	Signal string // "SIGKILL"; empty: it exited
}

func (e *ExitError) Error() string {
	if e.Signal != "" {
		return "ended by signal " + e.Signal
	}
	return fmt.Sprintf("exited with status %d", e.Code)
}

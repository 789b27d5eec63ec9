package host

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// status is one line that a guard writes to its parent.
type status struct {
	pid  int   // the program runs; 0: the line says how it ended
	err  error // how it ended; nil: with status 0
	code int   // exit status that the guard passes on
}

func started(pid int) status { return status{pid: pid} }

// failed says that the program could not be started, or lost its guard.
func failed(err error) status { return status{err: err, code: exitFailed} }

// ended says how the program ended.
func ended(ws syscall.WaitStatus) status {
	switch {
	case ws.Signaled():
		name := unix.SignalName(ws.Signal())
		return status{err: &ExitError{Signal: name}, code: 128 + int(ws.Signal())}
	case ws.ExitStatus() != 0:
		return status{err: &ExitError{Code: ws.ExitStatus()}, code: ws.ExitStatus()}
	}
	return status{}
}

// line is the status in the form of the protocol.
func (s status) line() string {
	if s.pid > 0 {
		return fmt.Sprintf("pid %d\n", s.pid)
	}
	exit, ok := errors.AsType[*ExitError](s.err)
	switch {
	case s.err == nil:
		return "exit 0\n"
	case ok && exit.Signal != "":
		return "signal " + exit.Signal + "\n"
	case ok:
		return fmt.Sprintf("exit %d\n", exit.Code)
	}
	return "error " + strings.Join(strings.Fields(s.err.Error()), " ") + "\n"
}

// report writes the status. Its reader may be gone: then nobody wants to know.
func (s status) report(w io.Writer) { _, _ = io.WriteString(w, s.line()) }

// parseStatus reads a line of the protocol, without its newline.
func parseStatus(line string) (status, error) {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "pid":
		if n, err := strconv.Atoi(rest); err == nil && n > 0 {
			return started(n), nil
		}
	case "exit":
		if n, err := strconv.Atoi(rest); err == nil && n == 0 {
			return status{}, nil
		} else if err == nil {
			return status{err: &ExitError{Code: n}, code: n}, nil
		}
	case "signal":
		if n := unix.SignalNum(rest); n != 0 {
			return status{err: &ExitError{Signal: rest}, code: 128 + int(n)}, nil
		}
	case "error":
		return failed(errors.New(rest)), nil
	}
	return status{}, fmt.Errorf("read the guard's status: %q is none", line)
}

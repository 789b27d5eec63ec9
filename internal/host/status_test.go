package host

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestStatusLines(t *testing.T) {
	for _, s := range []status{
		started(4711),
		{},
		{err: &ExitError{Code: 3}, code: 3},
		{err: &ExitError{Signal: "SIGKILL"}, code: 137},
		failed(errors.New("no such file")),
	} {
		line := s.line()
		got, err := parseStatus(strings.TrimSuffix(line, "\n"))
		if err != nil || !reflect.DeepEqual(got, s) {
			t.Errorf("%q is read as %+v, %v; want %+v", line, got, err, s)
		}
	}
	if line := failed(errors.New("two\nlines")).line(); line != "error two lines\n" {
		t.Errorf("an error of two lines becomes %q", line)
	}
	for _, bad := range []string{"", "pid", "pid -1", "exit x", "signal SIGNONE", "hello 1"} {
		if s, err := parseStatus(bad); err == nil {
			t.Errorf("%q is read as %+v", bad, s)
		}
	}
}

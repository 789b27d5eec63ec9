// Package doctor looks at a machine before a run does: what limits, disk,
// memory, ports, clock and programs it has. Each check is a small function that
// returns a value; `kvscen doctor` prints all of them, and `kvscen run` asks
// those that its plan depends on before it starts anything.
package doctor

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"text/tabwriter"
	"time"
)

// Status sorts checks by what they mean for a run.
type Status uint8

// The statuses of checks, from good to bad.
const (
	OK   Status = iota // nothing to do
	Info               // a fact that is neither good nor bad
	Warn               // a run works, but its numbers may suffer
	Bad                // a run will not work
)

var statusNames = [...]string{"ok", "info", "warn", "bad"}

// String is the word that is printed.
func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return fmt.Sprintf("Status(%d)", uint8(s))
}

// Check is what one look at the machine found.
type Check struct {
	Name   string // "open files"
	Status Status
	Text   string // what was found
	Advice string // what to do about it; empty where there is nothing to do
}

// Machine is what the checks look at: the root of a file system, a search for
// programs, and what they print.
type Machine struct {
	Files    fs.FS
	LookPath func(name string) (string, error)
	Run      func(argv []string) (output string, err error)
}

// This is the machine that kvscen runs on.
func This() Machine {
	return Machine{Files: os.DirFS("/"), LookPath: exec.LookPath, Run: run}
}

// answerWithin is the time that a program has to print its version.
const answerWithin = 5 * time.Second

// run gives what a program prints on its standard output.
func run(argv []string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), answerWithin)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.WaitDelay = time.Second
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("running %s: %w", argv[0], err)
	}
	return string(text), nil
}

// read gives the trimmed text of a file below the root, empty where it can't be read.
func (m Machine) read(path string) string {
	b, err := fs.ReadFile(m.Files, path)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// Worst is the worst status among checks.
func Worst(checks []Check) Status {
	worst := OK
	for _, c := range checks {
		worst = max(worst, c.Status)
	}
	return worst
}

// Print writes one line a check, and its advice below it.
func Print(w io.Writer, checks []Check) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range checks {
		fmt.Fprintf(t, "%s\t%s\t%s\n", c.Status, c.Name, c.Text)
		if c.Advice != "" {
			fmt.Fprintf(t, "\t\t-> %s\n", c.Advice)
		}
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("printing checks: %w", err)
	}
	return nil
}

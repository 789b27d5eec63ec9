package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes this test binary stand in for kvscen, also where kvscen starts
// itself as a guard or as a member.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"kvscen": func() {
			os.Exit(execute(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
		},
		"standin-cetcd": standInCetcd,
		"standin-zetcd": standInZetcd,
	})
}

// TestScripts runs each file of testdata/script: a newcomer's sessions at the
// command line.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":    exits,
			"signals":  signals,
			"folders":  folders,
			"listens":  listens,
			"scrapes":  scrapes,
			"contains": contains,
		},
		Condition: installed,
		Setup: func(e *testscript.Env) error {
			repo, err := os.Getwd()
			if err != nil {
				return err
			}
			e.Setenv("REPO", repo+"/../..")
			self, err := exec.LookPath("kvscen")
			e.Setenv("KVSCEN", self) // for scripts without a PATH
			return err
		},
	})
}

// installed is the condition [installed:PROGRAM], or the absolute path of a file
// in its place, for scripts that need a store which is not part of kvscen. CI
// installs them all: there its lack is an error.
func installed(condition string) (bool, error) {
	program, ok := strings.CutPrefix(condition, "installed:")
	if !ok {
		return false, fmt.Errorf("no condition is called %s", condition)
	}
	_, err := exec.LookPath(program)
	if path.IsAbs(program) {
		_, err = os.Stat(program)
	}
	if err != nil && os.Getenv("CI") == "true" {
		return false, fmt.Errorf("%s is not installed, though CI installs it: %w", program, err)
	}
	return err == nil, nil
}

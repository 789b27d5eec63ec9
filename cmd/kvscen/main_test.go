package main

import (
	"context"
	"os"
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
			"exits":   exits,
			"signals": signals,
			"folders": folders,
		},
		Setup: func(e *testscript.Env) error {
			repo, err := os.Getwd()
			e.Setenv("REPO", repo+"/../..")
			return err
		},
	})
}

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

// defaultResults is where result folders are made.
const defaultResults = "results"

// sameSecond bounds how many runs of one scenario may start in a second.
const sameSecond = 1000

// resultRoot is the folder that result folders are made in: that of --out
// itself where each of many files gets a folder of its own below it.
func resultRoot(out string, many bool) string {
	switch {
	case out == "":
		return defaultResults
	case many:
		return out
	}
	return filepath.Dir(out)
}

// makeResultFolder makes a new folder for a run and returns its absolute path.
// Nothing is ever overwritten: --out may name an empty folder, else it is new.
func makeResultFolder(out, name string, many bool) (string, error) {
	dir := filepath.Join(resultRoot(out, many), name)
	if out == "" {
		return makeNew(dir + time.Now().Format("-20060102-150405"))
	}
	if !many {
		dir = out
	}
	if left, err := os.ReadDir(dir); err == nil && len(left) > 0 {
		return "", usage("the result folder %s is not empty: a result is never overwritten", dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", setup("making the result folder: %w", err)
	}
	return absolute(dir)
}

// makeNew makes a folder that did not exist, with a number after its name where
// it has to be.
func makeNew(dir string) (string, error) {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", setup("making the result folder: %w", err)
	}
	for n := range sameSecond {
		try := dir
		if n > 0 {
			try = fmt.Sprintf("%s-%d", dir, n+1)
		}
		switch err := os.Mkdir(try, 0o755); {
		case err == nil:
			return absolute(try)
		case !errors.Is(err, fs.ErrExist):
			return "", setup("making the result folder: %w", err)
		}
	}
	return "", setup("making the result folder: %s and %d more exist", dir, sameSecond-1)
}

// makeDataFolder makes the folder of the members' data: below the result folder,
// or a new one below the folder given, so that nothing of anyone else's is touched.
func makeDataFolder(data, out string) (string, error) {
	if data == "" {
		dir := filepath.Join(out, "data")
		if err := os.Mkdir(dir, 0o755); err != nil {
			return "", setup("making the data folder: %w", err)
		}
		return dir, nil
	}
	if err := os.MkdirAll(data, 0o755); err != nil {
		return "", setup("making the data folder: %w", err)
	}
	dir, err := os.MkdirTemp(data, "kvscen-"+filepath.Base(out)+"-")
	if err != nil {
		return "", setup("making the data folder: %w", err)
	}
	return absolute(dir)
}

func absolute(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", setup("finding the path of %s: %w", dir, err)
	}
	return abs, nil
}

// setup makes the failure of something that this machine refused.
func setup(format string, args ...any) *failure {
	return &failure{result.StatusSetup, fmt.Errorf(format, args...)}
}

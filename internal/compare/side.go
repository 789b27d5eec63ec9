package compare

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/kvscen/kvscen/internal/result"
)

// Open reads a side: the folder of one result, or a folder of such folders, each
// a run of the same scenario. Folders in it that hold no result are passed over.
func Open(path string) (Side, error) {
	side := Side{Name: filepath.Clean(path)}
	if _, err := os.Stat(filepath.Join(path, result.FileName)); err == nil {
		return side.with(path)
	}
	entries, err := os.ReadDir(path)
	if errors.Is(err, os.ErrNotExist) {
		return side, fmt.Errorf("there is no folder %s", path)
	}
	if err != nil {
		return side.with(path) // a file: a result by itself
	}
	for _, e := range entries {
		inner := filepath.Join(path, e.Name())
		if _, err := os.Stat(filepath.Join(inner, result.FileName)); err != nil {
			continue
		}
		if side, err = side.with(inner); err != nil {
			return side, err
		}
	}
	if len(side.Runs) == 0 {
		return side, fmt.Errorf("there is no result in %s: neither %s nor a folder with one", path, result.FileName)
	}
	return side, side.ofOneScenario()
}

func (s Side) with(path string) (Side, error) {
	r, err := result.Load(path)
	if err != nil {
		return s, err
	}
	s.Runs = append(s.Runs, r)
	return s, nil
}

// ofOneScenario refuses a folder of different scenarios: its runs are no
// repetitions of one thing.
func (s Side) ofOneScenario() error {
	first := s.Runs[0].Scenario
	for _, r := range s.Runs[1:] {
		if r.Scenario.Hash != first.Hash {
			return fmt.Errorf("%s holds runs of different plans (%s %s and %s %s): name one folder, or sort them into one folder a plan",
				s.Name, first.Name, short(first.Hash), r.Scenario.Name, short(r.Scenario.Hash))
		}
	}
	return nil
}

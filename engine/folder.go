package engine

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/result"
)

// folder is the result folder as far as the engine writes it: the scenario's
// sources, the latency log, samples, and the members' logs. result.Save writes
// run.json.
type folder struct {
	dir  string
	file *os.File // unbuffered: after kill -9 each finished second is there
	hlog *result.HLog
}

// openFolder writes what is known before the run.
func openFolder(dir string, p *plan.Plan) (*folder, error) {
	for _, s := range p.Sources {
		if err := writeFile(filepath.Join(dir, "scenario", sourceName(s.Name)), s.Text); err != nil {
			return nil, fmt.Errorf("keeping the source of %s: %w", s.Name, err)
		}
	}
	file, err := os.Create(filepath.Join(dir, result.LogName))
	if err != nil {
		return nil, fmt.Errorf("creating the latency log: %w", err)
	}
	return &folder{dir: dir, file: file, hlog: result.NewHLog(file, time.Now())}, nil
}

func (f *folder) close() error { return f.file.Close() }

// logs is the folder of the members' logs of one cluster.
func (f *folder) logs(name string) string { return filepath.Join(f.dir, "logs", name) }

// samples writes the samples of a phase, step by step. It returns where they are
// below the folder; empty, if they can't be there whole.
func (f *folder) samples(name string, steps []iter.Seq[result.Sample]) (at string, err error) {
	at = path.Join("samples", name+".csv")
	place := filepath.Join(f.dir, filepath.FromSlash(at))
	if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
		return "", fmt.Errorf("keeping samples: %w", err)
	}
	file, err := os.Create(place)
	if err != nil {
		return "", fmt.Errorf("keeping samples: %w", err)
	}
	err = errors.Join(result.WriteSamples(file, inTurn(steps)), file.Close())
	if err != nil {
		return "", err
	}
	return at, nil
}

// inTurn is one sequence after the other.
func inTurn[T any](parts []iter.Seq[T]) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, part := range parts {
			for v := range part {
				if !yield(v) {
					return
				}
			}
		}
	}
}

func writeFile(at, text string) error {
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	return os.WriteFile(at, []byte(text), 0o644)
}

// sourceName is where a source is kept below the folder: "@std//etcd.star" as
// std/etcd.star, and nothing above it.
func sourceName(name string) string {
	name = strings.ReplaceAll(strings.TrimPrefix(filepath.ToSlash(name), "@"), "//", "/")
	return filepath.FromSlash(strings.TrimPrefix(path.Clean("/"+name), "/"))
}

package result

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// Samples reads the kept requests of a selection from the folder of the result,
// in the order of their numbers, repetitions one after the other. It is an error
// if there is no such cluster, phase, repetition, step or operation, or if the
// phase kept none.
func (r *Run) Samples(s Selection) ([]Sample, error) {
	if _, err := r.parts(s); err != nil {
		return nil, err
	}
	var all []Sample
	for i := range r.Clusters {
		c := &r.Clusters[i]
		if c.Label != s.Cluster || s.Repetition >= 0 && c.Repetition != s.Repetition {
			continue
		}
		for j := range c.Phases {
			if c.Phases[j].Name != s.Phase {
				continue
			}
			list, err := samplesOf(cmp.Or(c.Dir, r.Dir), &c.Phases[j], s)
			if err != nil {
				return nil, fmt.Errorf("samples of phase %s on %s: %w", s.Phase, s.Cluster, err)
			}
			all = append(all, list...)
		}
	}
	return all, nil
}

func samplesOf(dir string, p *Phase, s Selection) ([]Sample, error) {
	switch {
	case p.SamplesFile == "":
		return nil, fmt.Errorf("none were kept: phases of at most %d requests keep them, and those with samples = True", MaxSamples)
	case dir == "":
		return nil, errors.New("the folder of the result is not known")
	case !filepath.IsLocal(filepath.FromSlash(p.SamplesFile)):
		return nil, fmt.Errorf("%s lies outside of the result", p.SamplesFile)
	}
	file, err := os.Open(filepath.Join(dir, filepath.FromSlash(p.SamplesFile)))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadSamples(file, func(k *Sample) bool {
		return (s.Op == "" || k.Op == s.Op) && (s.Step < 0 || k.Step == s.Step)
	})
}

// ReadSamples reads what WriteSamples wrote, as far as keep wants it.
func ReadSamples(from io.Reader, keep func(*Sample) bool) ([]Sample, error) {
	c := csv.NewReader(from)
	c.ReuseRecord = true
	head, err := c.Read()
	if err != nil {
		return nil, fmt.Errorf("reading the head of the samples: %w", err)
	}
	if !slices.Equal(head, sampleColumns()) {
		return nil, fmt.Errorf("the columns are %q, want %q", head, sampleColumns())
	}
	var all []Sample
	for {
		line, err := c.Read()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading samples: %w", err)
		}
		s, err := parseSample(line)
		if err != nil {
			row, _ := c.FieldPos(0)
			return nil, fmt.Errorf("reading samples, line %d: %w", row, err)
		}
		if keep(&s) {
			all = append(all, s)
		}
	}
}

func parseSample(line []string) (Sample, error) {
	var failed error
	number := func(text string) time.Duration {
		n, err := strconv.ParseInt(text, 10, 64)
		if failed == nil {
			failed = err
		}
		return time.Duration(n)
	}
	s := Sample{N: uint64(number(line[0])), Step: int(number(line[1])) - 1, Op: line[2], Start: number(line[3]), Class: line[9]}
	if s.Open = line[4] != ""; s.Open {
		s.Due = number(line[4])
	}
	took := line[5]
	switch line[8] {
	case "true":
		s.OK = true
	case "false":
		took = line[10]
	default:
		return s, fmt.Errorf("ok is %q, want true or false", line[8])
	}
	s.End = s.Start + number(took)
	return s, failed
}

package result

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
)

// Names in the folder of a result.
const (
	FileName = "run.json"     // the result, written at the end of the run
	LogName  = "latency.hlog" // the log of latencies, written second by second
)

// Save writes r to dir, which must exist, as run.json. The file is there whole
// or, after a crash, as it was before.
func Save(dir string, r *Run) error {
	path := filepath.Join(dir, FileName)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil {
		return fmt.Errorf("encoding %s: %w", path, err)
	}
	if err := replace(path, b.Bytes()); err != nil {
		return fmt.Errorf("saving the result: %w", err)
	}
	return nil
}

// replace puts a file in the place of path in one step, and on the disk.
func replace(path string, text []byte) error {
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails once it is renamed
	_, err = f.Write(text)
	err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
	if err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Load reads a result from its file, or from run.json in its folder.
func Load(path string) (*Run, error) {
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		path = filepath.Join(path, FileName)
		info, err = os.Stat(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("loading a result: there is no %s%s", path, unfinished(filepath.Dir(path)))
	case err != nil:
		return nil, fmt.Errorf("loading a result: %w", err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("loading a result: %s is not a regular file", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("loading a result: %w", err)
	}
	r, err := decode(text)
	if err != nil {
		return nil, fmt.Errorf("loading %s: %w", path, err)
	}
	r.Dir = filepath.Dir(path)
	return r, nil
}

// unfinished says so if a run began in dir and never wrote its result.
func unfinished(dir string) string {
	if _, err := os.Stat(filepath.Join(dir, LogName)); err != nil {
		return ""
	}
	return ": the run goes on still, or was killed; what it had measured is in " + LogName + ", which 'kvscen rescue' prints"
}

// decode reads a result, and says in words what is wrong with one that is none.
func decode(text []byte) (*Run, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, errors.New("the file is empty")
	}
	var r Run
	whole := json.Unmarshal(text, &r)
	if whole == nil && r.Schema >= 1 && r.Schema <= Schema && r.Kvscen != "" {
		return &r, nil
	}
	var head struct {
		Schema *int    `json:"schema"`
		Kvscen *string `json:"kvscen"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, explain(err, len(text))
	}
	switch {
	case head.Schema == nil || head.Kvscen == nil || *head.Schema < 1:
		return nil, errors.New("not a result of kvscen: it has no schema and version")
	case *head.Schema > Schema:
		return nil, fmt.Errorf("written by a newer kvscen (%s, schema %d); this one reads up to schema %d", *head.Kvscen, *head.Schema, Schema)
	}
	if whole != nil {
		return nil, explain(whole, len(text))
	}
	return &r, nil
}

func explain(err error, size int) error {
	if s, ok := errors.AsType[*json.SyntaxError](err); ok {
		if s.Offset >= int64(size) {
			return fmt.Errorf("cut off after %d bytes: %w", size, err)
		}
		return fmt.Errorf("not JSON at byte %d: %w", s.Offset, err)
	}
	if t, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if t.Field == "" {
			return fmt.Errorf("not a result of kvscen: it is a JSON %s", t.Value)
		}
		return fmt.Errorf("not a result of kvscen: %s is a JSON %s", t.Field, t.Value)
	}
	return err
}

// MarshalJSON leaves out what JSON has no word for: a gauge may stand at NaN.
func (m MemberMetrics) MarshalJSON() ([]byte, error) {
	type plain MemberMetrics
	finite := make(map[string]float64, len(m.Values))
	for name, v := range m.Values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			finite[name] = v
		}
	}
	m.Values = finite
	return json.Marshal(plain(m))
}

package procfs

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// MirrorScript is the other end of a Mirror: a loop of the POSIX shell that runs
// on the host whose /proc is read. It answers each line of patterns with what the
// files hold, a name before each line, then with the io files that may not be
// read. One program is started for an answer: that is most of what it costs.
const MirrorScript = `cd /proc || exit 1
LC_ALL=C
export LC_ALL
while read -r n patterns; do
	grep -s '' /dev/null $patterns
	for f in $patterns; do
		case $f in */io) [ ! -e $f ] || [ -r $f ] || echo "-$f";; esac
	done
	echo "=$n"
done
`

// Mirror is the /proc of another host, of which the files that are asked for are
// copied into a folder here, all in one answer.
type Mirror struct {
	in    io.Writer
	limit time.Duration
	dir   string
	lock  *os.File // held as long as the folder is in use
	seq   int

	answers chan answer
	done    chan struct{}
	ended   error // set before done is closed

	texts  map[string]string // what the folder holds
	denied map[string]bool   // files that may not be read
}

// answer is what came for one line.
type answer struct {
	seq    int
	texts  map[string]string
	denied map[string]bool
}

// Limits of an answer, against a host that sends nonsense.
const (
	maxAnswerFiles = 200_000
	maxAnswerLine  = 1 << 20
)

// ErrLate is a host that did not answer in time.
var ErrLate = errors.New("the host did not answer in time")

// NewMirror reads the host over the input and the output of MirrorScript. Each
// answer is waited for no longer than limit.
func NewMirror(in io.Writer, out io.Reader, limit time.Duration) (*Mirror, error) {
	dir, lock, err := makeMirror()
	if err != nil {
		return nil, fmt.Errorf("making a folder for the counters of a host: %w", err)
	}
	m := &Mirror{
		in: in, limit: limit, dir: dir, lock: lock,
		answers: make(chan answer, 1), done: make(chan struct{}),
		texts: make(map[string]string), denied: make(map[string]bool),
	}
	go m.listen(out)
	return m, nil
}

var (
	_ Source = (*Mirror)(nil)
	_ Denier = (*Mirror)(nil)
)

// Root is the folder of the copies.
func (m *Mirror) Root() string { return m.dir }

// Denied reports whether a file is there but may not be read by the user who
// logged in.
func (m *Mirror) Denied(name string) bool { return m.denied[name] }

// Close removes the copies. The script's output must have ended, or be about to.
func (m *Mirror) Close() error {
	<-m.done
	return errors.Join(os.RemoveAll(m.dir), m.lock.Close())
}

// Fetch asks the host for the files that match, and copies them.
func (m *Mirror) Fetch(patterns []string) error {
	m.seq++
	if _, err := fmt.Fprintf(m.in, "%d %s\n", m.seq, strings.Join(patterns, " ")); err != nil {
		return fmt.Errorf("asking the host: %w", err)
	}
	late := time.After(m.limit)
	for {
		select {
		case a := <-m.answers:
			if a.seq == m.seq { // else of a line that was given up
				return m.keep(a, patterns)
			}
		case <-m.done:
			return fmt.Errorf("asking the host: %w", m.ended)
		case <-late:
			return ErrLate
		}
	}
}

// listen takes answers until the output ends. One that nobody waits for any more
// makes room for the next.
func (m *Mirror) listen(out io.Reader) {
	defer close(m.done)
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, maxAnswerLine)
	for {
		a, err := readAnswer(lines)
		if err != nil {
			m.ended = err
			return
		}
		for sent := false; !sent; {
			select {
			case m.answers <- a:
				sent = true
			case <-m.answers:
			}
		}
	}
}

// readAnswer reads the lines up to the number of the question.
func readAnswer(lines *bufio.Scanner) (answer, error) {
	a := answer{denied: make(map[string]bool)}
	texts := make(map[string]*strings.Builder)
	for lines.Scan() {
		line := lines.Text()
		if number, ok := strings.CutPrefix(line, "="); ok {
			seq, err := strconv.Atoi(number)
			if err != nil {
				return a, fmt.Errorf("the host answers %.40q", line)
			}
			a.seq, a.texts = seq, make(map[string]string, len(texts))
			for name, b := range texts {
				a.texts[name] = b.String()
			}
			return a, nil
		}
		if name, ok := strings.CutPrefix(line, "-"); ok {
			a.denied[name] = true
			continue
		}
		name, text, ok := strings.Cut(line, ":")
		if !ok || !filepath.IsLocal(name) || path.Clean(name) != name || len(texts) > maxAnswerFiles {
			return a, fmt.Errorf("the host answers %.40q", line)
		}
		b := texts[name]
		if b == nil {
			b = &strings.Builder{}
			texts[name] = b
		}
		b.WriteString(text)
		b.WriteByte('\n')
	}
	if err := lines.Err(); err != nil {
		return a, fmt.Errorf("reading the host's answer: %w", err)
	}
	return a, errors.New("the host ended the session")
}

// keep brings the folder in line with an answer.
func (m *Mirror) keep(a answer, patterns []string) error {
	for name := range m.texts {
		if _, ok := a.texts[name]; ok || !matches(name, patterns) {
			continue
		}
		delete(m.texts, name)
		if err := m.remove(name); err != nil {
			return err
		}
	}
	for name, text := range a.texts {
		if old, ok := m.texts[name]; ok && old == text {
			continue
		}
		if err := m.write(name, text); err != nil {
			return err
		}
		m.texts[name] = text
	}
	maps.DeleteFunc(m.denied, func(name string, _ bool) bool { return matches(name, patterns) })
	maps.Copy(m.denied, a.denied)
	return nil
}

func matches(name string, patterns []string) bool {
	for _, p := range patterns {
		if ok, err := path.Match(p, name); ok && err == nil {
			return true
		}
	}
	return false
}

// remove takes a file away, and with its stat a process as a whole.
func (m *Mirror) remove(name string) error {
	gone := filepath.Join(m.dir, name)
	if dir, file := path.Split(name); file == "stat" || strings.Contains(dir, "/task/") {
		gone = filepath.Dir(gone)
	}
	if err := os.RemoveAll(gone); err != nil {
		return fmt.Errorf("keeping the counters of a host: %w", err)
	}
	return nil
}

func (m *Mirror) write(name, text string) error {
	file := filepath.Join(m.dir, name)
	err := os.WriteFile(file, []byte(text), 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(file), 0o700); err == nil {
			err = os.WriteFile(file, []byte(text), 0o600)
		}
	}
	if err != nil {
		return fmt.Errorf("keeping the counters of a host: %w", err)
	}
	return nil
}

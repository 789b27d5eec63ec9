package result

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// LatencyLog is what a latency log holds: of a run that was killed, all there is.
type LatencyLog struct {
	Base   time.Time // start of the log
	Series []LoggedSeries
	Cut    bool // the last line was not written to its end, and is left out
}

// LoggedSeries is one tag of a latency log: an operation of a phase on a cluster.
type LoggedSeries struct {
	Tag       string
	From, To  time.Time // start of its first second, end of its last one
	Seconds   int       // logged
	Most      uint64    // requests of the best second
	Latencies Latencies // of ok requests; sum and extremes are as exact as the histograms
}

// longestLine is longer than any line of a log: a histogram has at most 9 bytes a
// count before it is packed.
const longestLine = 1 << 20

// ReadHLog reads what HLog wrote, also where the writer was killed. It is an error
// if the text is no such log, or damaged before its last line.
func ReadHLog(from io.Reader) (*LatencyLog, error) {
	l := &LatencyLog{}
	lines := bufio.NewReaderSize(from, 1<<16)
	for number := 1; ; number++ {
		line, end, err := readLine(lines)
		if err != nil {
			return nil, fmt.Errorf("reading a latency log, line %d: %w", number, err)
		}
		if number == 1 && !strings.HasPrefix(line, "#[Histogram log format version ") {
			return nil, errors.New("not a latency log: the first line is not that of an HdrHistogram log")
		}
		if end {
			l.Cut = line != ""
			return l, nil
		}
		if err := l.line(line); err != nil {
			return nil, fmt.Errorf("reading a latency log, line %d: %w", number, err)
		}
	}
}

// readLine reads a line without its end; end is true of what stands after the last
// one.
func readLine(r *bufio.Reader) (line string, end bool, err error) {
	var b []byte
	for {
		part, err := r.ReadSlice('\n')
		b = append(b, part...)
		switch {
		case len(b) > longestLine:
			return "", false, fmt.Errorf("it has over %d bytes", longestLine)
		case err == nil:
			return string(b[:len(b)-1]), false, nil
		case err == io.EOF:
			return string(b), true, nil
		case err != bufio.ErrBufferFull:
			return "", false, err
		}
	}
}

// line takes one line in.
func (l *LatencyLog) line(text string) error {
	if base, ok := strings.CutPrefix(text, "#[BaseTime: "); ok {
		seconds, _, _ := strings.Cut(base, " ")
		at, err := strconv.ParseFloat(seconds, 64)
		if err != nil || !(math.Abs(at) < 1e11) {
			return fmt.Errorf("the base time is %q", seconds)
		}
		l.Base = time.UnixMilli(int64(at * 1000)).UTC()
		return nil
	}
	if text == "" || text[0] == '#' || text[0] == '"' {
		return nil
	}
	tag := ""
	if rest, ok := strings.CutPrefix(text, "Tag="); ok {
		tag, text, _ = strings.Cut(rest, ",")
	}
	fields := strings.Split(text, ",")
	if len(fields) != 4 || fields[3] == "" {
		return fmt.Errorf("it has %d fields, want start, length, most and histogram", len(fields))
	}
	start, err := strconv.ParseFloat(fields[0], 64)
	length, err2 := strconv.ParseFloat(fields[1], 64)
	if err := errors.Join(err, err2); err != nil || !(math.Abs(start) < 1e9) || !(length >= 0 && length < 1e9) {
		return fmt.Errorf("start and length are %q and %q", fields[0], fields[1])
	}
	from := l.Base.Add(time.Duration(start * 1e9))
	return l.series(tag).add(from, from.Add(time.Duration(length*1e9)), fields[3])
}

func (l *LatencyLog) series(tag string) *LoggedSeries {
	i := slices.IndexFunc(l.Series, func(s LoggedSeries) bool { return s.Tag == tag })
	if i < 0 {
		i = len(l.Series)
		l.Series = append(l.Series, LoggedSeries{Tag: tag})
	}
	return &l.Series[i]
}

func (s *LoggedSeries) add(from, to time.Time, data string) error {
	h := &Hist{Data: data}
	d, err := h.HDR()
	if err != nil {
		return err
	}
	if s.Seconds == 0 || from.Before(s.From) {
		s.From = from
	}
	if to.After(s.To) {
		s.To = to
	}
	s.Seconds++
	if h.N = uint64(max(d.TotalCount(), 0)); h.N == 0 {
		return nil
	}
	h.Min, h.Max, h.Sum = d.Min(), d.Max(), uint64(d.Mean()*float64(h.N))
	s.Most = max(s.Most, h.N)
	return s.Latencies.merge(h, d)
}

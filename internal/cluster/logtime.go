package cluster

import (
	"bytes"
	"math"
	"regexp"
	"strconv"
	"time"
)

// stampWithin is how far into a line its time is looked for: a level and a
// thread may stand before it.
const stampWithin = 200

var (
	// calendar is a date and a time of day as loggers print them: those of etcd,
	// Consul, log4j and logback, with a zone or without.
	calendar = regexp.MustCompile(`(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?(Z| ?[+-]\d\d:?\d\d)?`)
	// epoch is the time in seconds since 1970, as zap prints it unless it is told
	// otherwise.
	epoch = regexp.MustCompile(`"(?:ts|time|timestamp)":"?(\d{9,10}(?:\.\d+)?)[,"}]`)
)

// LogTime is the time that a line of a log bears, by the clock of the machine that
// wrote it; zone is where a time is that says none.
func LogTime(line []byte, zone *time.Location) (t time.Time, ok bool) {
	line = line[:min(len(line), stampWithin)]
	if m := calendar.FindSubmatch(line); m != nil {
		return dated(m[1:], zone)
	}
	m := epoch.FindSubmatch(line)
	if m == nil {
		return time.Time{}, false
	}
	seconds, err := strconv.ParseFloat(string(m[1]), 64)
	if err != nil {
		return time.Time{}, false
	}
	whole, part := math.Modf(seconds)
	return time.Unix(int64(whole), int64(part*1e9)), true
}

// dated reads the parts of a calendar time: year, month, day, hour, minute, second,
// fraction and zone.
func dated(parts [][]byte, zone *time.Location) (time.Time, bool) {
	var n [6]int
	for i := range n {
		n[i], _ = strconv.Atoi(string(parts[i])) // digits they are
	}
	nanos, _ := strconv.Atoi(string(append(bytes.Clone(parts[6]), "000000000"[len(parts[6]):]...)))
	if text := bytes.ReplaceAll(bytes.TrimSpace(parts[7]), []byte(":"), nil); len(text) == 5 {
		minutes, _ := strconv.Atoi(string(text[3:5]))
		hours, _ := strconv.Atoi(string(text[1:3]))
		offset := hours*3600 + minutes*60
		if text[0] == '-' {
			offset = -offset
		}
		zone = time.FixedZone("", offset)
	} else if len(text) > 0 {
		zone = time.UTC
	}
	t := time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], nanos, zone)
	// Numbers beyond their range would be carried over into the next.
	return t, t.Day() == n[2] && t.Month() == time.Month(n[1]) && t.Minute() == n[4] && t.Second() == n[5]
}

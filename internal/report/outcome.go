package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kvscen/kvscen/internal/result"
)

// maxEvents is how many events of a cluster are shown.
const maxEvents = 20

// events lists what happened while the clusters were up, what their logs say, and
// why they ended early.
func events(to page, r *result.Run) {
	any := false
	line := func(place, text string) {
		if !any {
			to.section("Events")
		}
		any = true
		to.item(place, text)
	}
	for i := range r.Clusters {
		c := &r.Clusters[i]
		place := shorten(c.Label, 24)
		if r.Scenario.Repeat > 1 || c.Repetition > 0 {
			place += fmt.Sprintf(", run %d", c.Repetition+1)
		}
		for j, e := range c.Events {
			if j == maxEvents {
				line(place, fmt.Sprintf("and %s more", plural(len(c.Events)-j, "event")))
				break
			}
			text := fmt.Sprintf("after %s: %s", span(e.At.Sub(r.Start)), clean(e.Kind))
			if e.Member != "" {
				text += " " + clean(e.Member)
			}
			line(place, text+": "+headline(e.Text))
		}
		for j := range c.Phases {
			logged(&c.Phases[j], func(text string) { line(place, text) })
		}
		if c.Error != "" {
			line(place, "ended early: "+headline(c.Error))
		}
	}
}

// headline is a text without the lines of a log that stand below it: the log
// itself lies beside the result.
func headline(text string) string {
	first, _, more := strings.Cut(strings.TrimSpace(text), "\n")
	if more {
		first = strings.TrimSuffix(first, "; its log ends with:")
	}
	return clean(first)
}

// verdicts lists expectations and checks with every value that they read.
func verdicts(to page, list []result.Verdict) {
	if len(list) == 0 {
		return
	}
	counts := map[string]int{}
	for _, v := range list {
		counts[v.Status]++
	}
	title := fmt.Sprintf("Verdicts: %d passed, %d failed, %d unknown", counts[result.Pass], counts[result.Fail], counts[result.Unknown])
	if n := counts[result.Info]; n > 0 {
		title += fmt.Sprintf(", %d compared", n)
	}
	to.section(title)
	for i := range list {
		to.verdict(&list[i])
	}
}

// status ends the report with how the run ended.
func status(to page, r *result.Run) {
	text := statusText(r.Status)
	if r.Reason != "" {
		text += ": " + headline(r.Reason)
	}
	to.status(text, r.Status == result.StatusOK)
}

// statusText is an exit status with what it means: "5 (check failed or unknown)".
func statusText(status int) string {
	words := map[int]string{
		result.StatusOK:          "ok",
		result.StatusInternal:    "internal error",
		result.StatusUsage:       "usage or script",
		result.StatusSetup:       "set-up failed",
		result.StatusRun:         "run failed",
		result.StatusCheck:       "check failed or unknown",
		result.StatusUntrusted:   "untrusted",
		result.StatusRegression:  "regression",
		result.StatusReport:      "a report failed",
		result.StatusInterrupted: "interrupted",
		result.StatusTerminated:  "terminated",
	}
	text := strconv.Itoa(status)
	if word := words[status]; word != "" {
		text += " (" + word + ")"
	}
	return text
}

// loop says how the load was paced: what latency means hangs on it.
func loop(columns []*column) string {
	rates := []string{}
	open, closed := false, false
	for _, c := range columns {
		for _, p := range c.phases {
			for i := range p.Steps {
				s := &p.Steps[i]
				open, closed = open || s.Open, closed || !s.Open
				if word := shorten(s.Rate, 40); s.Open && !slices.Contains(rates, word) {
					rates = append(rates, word)
				}
			}
		}
	}
	if len(rates) > 4 {
		rates = append(rates[:4], fmt.Sprintf("%d more", len(rates)-4))
	}
	switch {
	case open && closed:
		return "open and closed loop (" + strings.Join(rates, ", ") + "): latency is response time where there is a rate, else service time"
	case open:
		return "open loop (" + strings.Join(rates, ", ") + "): latency is response time"
	default:
		return "closed loop: latency is service time"
	}
}

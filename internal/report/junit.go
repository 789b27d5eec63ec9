package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/kvscen/kvscen/internal/result"
)

// JUnit writes the verdicts as JUnit XML, which CI systems show: a suite for the
// scenario, one case for each expectation, check and comparison, and a first one for the run
// itself. What is unknown is an error, what does not hold a failure.
func JUnit(w io.Writer, r *result.Run) error {
	took := fmt.Sprintf("%.3f", r.End.Sub(r.Start).Seconds())
	suite := junit.Testsuite{Name: clean(r.Scenario.Name), Hostname: clean(r.Environment.Host), Time: took}
	suite.SetTimestamp(r.Start.UTC())
	suite.AddProperty("kvscen", clean(r.Kvscen))
	suite.AddProperty("hash", clean(r.Scenario.Hash))
	for _, p := range r.Scenario.Params {
		suite.AddProperty("parameter "+clean(p.Name), clean(p.Value))
	}
	suite.AddTestcase(runCase(r, suite.Name, took))
	for i := range r.Verdicts {
		suite.AddTestcase(verdictCase(&r.Verdicts[i], suite.Name))
	}
	var all junit.Testsuites
	all.AddSuite(suite)
	if err := all.WriteXML(w); err != nil {
		return fmt.Errorf("writing JUnit XML: %w", err)
	}
	return nil
}

// runCase is passed where the run came to its end; that a verdict failed is the
// verdict's own matter.
func runCase(r *result.Run, suite, took string) junit.Testcase {
	c := junit.Testcase{Name: "run", Classname: suite, Time: took}
	if r.Status != result.StatusOK && r.Status != result.StatusCheck {
		reason := headline(r.Reason)
		c.Error = &junit.Result{Message: fmt.Sprintf("status %d: %s", r.Status, reason), Type: "status", Data: multiline(r.Reason)}
	}
	return c
}

func verdictCase(v *result.Verdict, suite string) junit.Testcase {
	c := junit.Testcase{Name: clean(v.Kind) + " " + clean(v.Name), Classname: suite, Status: clean(v.Status)}
	if v.OK() {
		c.SystemOut = &junit.Output{Data: evidence(v)}
		return c
	}
	failed := &junit.Result{Message: verdictMessage(v), Type: clean(v.Kind), Data: evidence(v)}
	if v.Status == result.Fail {
		c.Failure = failed
	} else {
		c.Error = failed
	}
	return c
}

// verdictMessage is the one line that CI systems show: the first value that is
// not as it should be.
func verdictMessage(v *result.Verdict) string {
	for _, read := range v.Reads {
		if !read.OK {
			return readText(&read)
		}
	}
	if v.Text != "" {
		return headline(v.Text)
	}
	return clean(v.Status)
}

// evidence is everything that a verdict looked at.
func evidence(v *result.Verdict) string {
	var b strings.Builder
	fmt.Fprintln(&b, clean(v.Where))
	if v.Line != "" {
		fmt.Fprintf(&b, "    %s\n", clean(v.Line))
	}
	for _, read := range v.Reads {
		fmt.Fprintln(&b, readText(&read))
	}
	b.WriteString(multiline(v.Text))
	return b.String()
}

func readText(read *result.Read) string {
	text := clean(read.Path) + " = " + clean(read.Value)
	if read.Limit != "" {
		text += ", limit " + clean(read.Limit)
	}
	return text
}

// multiline cleans a text line by line.
func multiline(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		fmt.Fprintln(&b, cleanLine(line))
	}
	return b.String()
}

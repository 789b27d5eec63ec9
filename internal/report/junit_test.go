package report

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/kvscen/kvscen/internal/result"
)

func TestJUnit(t *testing.T) {
	r := runOf()
	r.Status, r.Reason = result.StatusCheck, "1 failed"
	r.Verdicts = []result.Verdict{
		{Kind: "expect", Name: "p99 below 20ms", Status: result.Pass, Where: "a.star:3:1", Reads: []result.Read{{Path: "p99", Value: "3 ms", Limit: "below 20ms", OK: true}}},
		{Kind: "expect", Name: "throughput <above> 5", Status: result.Fail, Where: "a.star:4:1", Line: "expect(…)", Reads: []result.Read{{Path: "throughput", Value: "4", Limit: "above 5"}}},
		{Kind: "check", Name: "steady\x00", Status: result.Unknown, Where: "a.star:5:1", Text: "p99.9 is n/a\n  line two"},
	}
	var b bytes.Buffer
	if err := JUnit(&b, r); err != nil {
		t.Fatal(err)
	}
	var back junit.Testsuites
	if err := xml.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatalf("%v in:\n%s", err, b.String())
	}
	if back.Tests != 4 || back.Failures != 1 || back.Errors != 1 || len(back.Suites) != 1 {
		t.Fatalf("%d tests, %d failures, %d errors, %d suites", back.Tests, back.Failures, back.Errors, len(back.Suites))
	}
	cases := back.Suites[0].Testcases
	if cases[0].Name != "run" || cases[0].Error != nil {
		t.Errorf("the run: %+v", cases[0])
	}
	if f := cases[2].Failure; f == nil || f.Message != "throughput = 4, limit above 5" || !strings.Contains(f.Data, "a.star:4:1") {
		t.Errorf("the failed one: %+v", cases[2].Failure)
	}
	if e := cases[3].Error; e == nil || e.Message != "p99.9 is n/a" || cases[3].Name != `check steady\x00` {
		t.Errorf("the unknown one: %+v %q", cases[3].Error, cases[3].Name)
	}
}

func TestJUnitOfARunThatBroke(t *testing.T) {
	r := runOf()
	r.Status, r.Reason = result.StatusSetup, "etcd: m1 is not ready; its log ends with:\n<panic>"
	var b bytes.Buffer
	if err := JUnit(&b, r); err != nil {
		t.Fatal(err)
	}
	var back junit.Testsuites
	if err := xml.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if e := back.Suites[0].Testcases[0].Error; back.Errors != 1 || e == nil || e.Message != "status 3: etcd: m1 is not ready" || !strings.Contains(e.Data, "<panic>") {
		t.Errorf("the run: %+v", e)
	}
}

package result

import (
	"strings"
	"testing"
	"time"
)

func TestWriteSamples(t *testing.T) {
	var b strings.Builder
	err := WriteSamples(&b, []Sample{
		{N: 0, Op: "put", Start: 5, Service: 2 * time.Millisecond, OK: true},
		{N: 1, Step: 1, Op: "get", Open: true, Start: 1_000_010, Due: 1_000_000, Service: 7, Response: 17, Lag: 10, Class: "timeout, or so"},
	})
	want := "request,step,op,start_ns,due_ns,service_ns,response_ns,lag_ns,ok,error_class\n" +
		"0,1,put,5,,2000000,,,true,\n" +
		"1,2,get,1000010,1000000,7,17,10,false,\"timeout, or so\"\n"
	if err != nil || b.String() != want {
		t.Errorf("%v, got\n%s", err, b.String())
	}
	if err := WriteSamples(&full{10}, make([]Sample, 3)); err == nil || !strings.Contains(err.Error(), "3 samples: no space left") {
		t.Errorf("error %v", err)
	}
}

// Command bench measures what kvscen costs beside the least that could do the
// same work: `go run ./bench` measures all of it, `go run ./bench engine-get
// open` some, and `go run ./bench stores` the clients of all stores. Costs are CPU
// time by getrusage, compared as ratios of pairs that are run in turn, so that a
// machine that changes its speed changes both sides.
//
// The bare loop beside a store's driver draws the same keys, makes the same values,
// has connections as new as a phase's, and times each request into a histogram: a
// loop that times nothing is no benchmark. Where the store is in this process a
// request costs microseconds, and reading the clock twice some hundredths of that:
// the ratio to a loop that times nothing is printed there too, without a limit.
//
// It exits with status 1 if a figure is over its limit.
package main

import (
	"fmt"
	"os"
	"slices"
)

// everyStore stands for the benchmarks of all stores.
const everyStore = "stores"

// benchmark is one thing that is measured.
type benchmark struct {
	name string
	what string
	run  func(*sheet) error
}

// all are sorted as they are run: the short ones first.
func all() []benchmark { return append(ofEngine(), clientBenchmarks()...) }

// ofEngine are those that need no store but mem.
func ofEngine() []benchmark {
	return []benchmark{
		{"engine-get", "engine on mem, get of one key: CPU a request, against a bare loop; at most 1.5", engineGet},
		{"engine-put", "engine on mem, put of fresh 1 KiB values: CPU a request, against a loop that makes them; at most 1.5", enginePut},
		{"allocations", "engine on mem: allocations a request; none", allocations},
		{"recorder", "latency log: encode and write one second of one series; under 2 ms", recorder},
		{"sampler", "a machine that is sampled over SSH: CPU of the loop there; at most 1 % of one core", sampler},
		{"check", "kvscen check scenarios/: wall clock; under 200 ms", check},
		{"page", "report.html of an hour of three clusters of three members: under 1 s, 200 MB, 3 MB", pageOfAnHour},
		{"compare", "a slowdown of 10 % in mem, 10 runs a side: found; comparing 20 runs with 20: under 1 s", slowdown},
		{"false-alarms", "1,000 comparisons of one build with itself by the command: at most 6 % alarms at the 5 % level", falseAlarms},
		{"memory", "10M and 100M requests on mem: growth of the live heap at most 1 MB, of RSS 16 MB and 64 KB a second", memory},
		{"clients", "10,000 clients on mem: resident memory; under 250 MB", clients},
		{"open", "open loop on mem at 1,000, 10,000 and 50,000/s for 30 s: rate within 0.1 %, none missed; lag beside bare sleeps", openLoop},
	}
}

func main() {
	want := os.Args[1:]
	list := all()
	if i := slices.Index(want, everyStore); i >= 0 {
		want = slices.Delete(want, i, i+1)
		for _, b := range clientBenchmarks() {
			want = append(want, b.name)
		}
	}
	for _, name := range want {
		if !slices.ContainsFunc(list, func(b benchmark) bool { return b.name == name }) {
			fmt.Fprintf(os.Stderr, "bench: no benchmark is called %q; there are:\n", name)
			for _, b := range list {
				fmt.Fprintf(os.Stderr, "  %-12s %s\n", b.name, b.what)
			}
			fmt.Fprintf(os.Stderr, "  %-12s %s\n", everyStore, "the client CPU of all stores")
			os.Exit(2)
		}
	}
	s := &sheet{out: os.Stdout}
	for _, b := range list {
		if len(want) > 0 && !slices.Contains(want, b.name) {
			continue
		}
		fmt.Printf("%s: %s\n", b.name, b.what)
		if err := b.run(s); err != nil {
			s.over = true
			fmt.Printf("  failed: %v\n", err)
		}
	}
	s.close()
	for _, text := range s.passed {
		fmt.Println("not measured: " + text)
	}
	if s.over {
		os.Exit(1)
	}
}

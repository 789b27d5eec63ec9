package load

import (
	"strings"
	"testing"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/dist"
	"github.com/kvscen/kvscen/internal/plan"
)

// sealed is put with values that carry a checksum, checked the get that compares
// it.
func sealed(order string) plan.Op {
	op := put(order)
	op.Value.Checksum = true
	return op
}

func checked(order string) plan.Op {
	op := get(order)
	op.Checksum = true
	return op
}

func TestChecksumSizes(t *testing.T) {
	if plan.ChecksumBytes != dist.SealBytes {
		t.Errorf("the plan reckons with %d bytes, a seal takes %d", plan.ChecksumBytes, dist.SealBytes)
	}
}

func TestChecksumsOfWholeValues(t *testing.T) {
	eachRunner(t, func(t *testing.T, connections int) {
		b := newBench(t, nil, plan.Keys{Count: 1000, Size: 16, Encoding: "decimal"})
		b.run(steps(800, connections, sealed("sequential"), 10), nil)
		read := steps(2000, connections, checked("uniform"), 10)
		read.Name = "read" // a fifth of the keys were never written
		r := b.run(read, nil)[0].Result
		if r.Counts.OK != 2000 || r.Series[0].Found < 1500 || r.Series[0].Found == 2000 {
			t.Errorf("counts %+v, %d found", r.Counts, r.Series[0].Found)
		}
		list := checked("uniform")
		list.Kind, list.Limit = "scan", 9
		scan := steps(300, connections, list, 10)
		scan.Name = "scan"
		if r := b.run(scan, nil)[0].Result; r.Counts.OK != 300 || r.Series[0].Entries < 2000 {
			t.Errorf("scans: counts %+v, %d entries, %+v", r.Counts, r.Series[0].Entries, r.Errors)
		}
		pair := plan.Op{Kind: "txn", Weight: 1, Ops: []plan.Op{sealed("one"), checked("one")}}
		both := steps(100, connections, pair, 10)
		both.Name = "both"
		if r := b.run(both, nil)[0].Result; r.Counts.OK != 100 {
			t.Errorf("in transactions: counts %+v, %+v", r.Counts, r.Errors)
		}
	})
}

func TestChecksumsFindWhatIsWrong(t *testing.T) {
	for option, text := range map[string]string{"corrupt_rate": "has the checksum", "misread_rate": "that of another key"} {
		t.Run(option, func(t *testing.T) {
			eachRunner(t, func(t *testing.T, connections int) {
				b := newBench(t, map[string]any{option: 0.125}, plan.Keys{Count: 1000, Size: 16, Encoding: "decimal"})
				b.run(steps(1000, connections, sealed("sequential"), 10), nil)
				read := steps(4000, connections, checked("uniform"), 10)
				read.Name = "read"
				r := b.run(read, nil)[0].Result
				if r.Counts.Failed != 500 || r.Counts.OK != 3500 {
					t.Errorf("counts %+v, want an eighth of 4000 failed", r.Counts)
				}
				if len(r.Errors) != 1 || r.Errors[0].Class != drivers.Corrupt.String() || !strings.Contains(r.Errors[0].Sample, text) {
					t.Errorf("errors %+v, want them as corrupt: %s", r.Errors, text)
				}
				list := checked("uniform")
				list.Kind, list.Limit = "scan", 5
				scan := steps(800, connections, list, 10)
				scan.Name = "scan"
				r = b.run(scan, nil)[0].Result
				// A scan of the last key has no other value to mix up.
				if n := r.Counts.Failed; n < 98 || n > 101 || len(r.Errors) != 1 || r.Errors[0].Class != "corrupt" {
					t.Errorf("scans: counts %+v, errors %+v; want an eighth of 800 failed", r.Counts, r.Errors)
				}
				read.Name = "trusting"
				read.Ops[0].Checksum = false
				if r := b.run(read, nil)[0].Result; r.Counts.Failed != 0 {
					t.Errorf("nobody asked for a check, and %d failed", r.Counts.Failed)
				}
			})
		})
	}
}

func TestValuesWithoutChecksum(t *testing.T) {
	b := newBench(t, nil, plan.Keys{Count: 10, Size: 16, Encoding: "decimal"})
	b.run(steps(10, 1, put("sequential"), 1), nil)
	read := steps(10, 1, checked("sequential"), 1)
	read.Name = "read"
	if r := b.run(read, nil)[0].Result; r.Counts.Failed != 10 {
		t.Errorf("counts %+v, want each to fail", r.Counts)
	}
}

// A request costs no memory, with the checksum and without.
func TestChecksumDoesNotAllocate(t *testing.T) {
	b := newBench(t, nil, plan.Keys{Count: 10, Size: 16, Encoding: "decimal"})
	phase := steps(10, 1, sealed("uniform"), 1)
	phase.Ops = append(phase.Ops, checked("uniform"))
	phase.Ops[0].Weight, phase.Ops[1].Weight = 0.5, 0.5
	src, err := newSource(phase, 1, b.states)
	if err != nil {
		t.Fatal(err)
	}
	g, err := src.generator()
	if err != nil {
		t.Fatal(err)
	}
	var op drivers.Op
	n := uint64(0)
	if got := testing.AllocsPerRun(1000, func() {
		g.fill(&op, n)
		n++
		if op.Value != nil {
			return
		}
		// What a store would give back of the first operation.
		value := g.ops[0].value
		dist.Seal(value, op.Key)
		op.Found, op.Read = true, value
		if err := g.check(&op); err != nil {
			t.Error(err)
		}
	}); got != 0 {
		t.Errorf("%v allocations a request", got)
	}
}

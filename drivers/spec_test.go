package drivers

import (
	"testing"
	"time"
)

func TestDescribe(t *testing.T) {
	s := Spec{Ops: []OpInfo{
		{Kind: Put, RPCs: "1 Put", TTLRPCs: "1 Lease", TTL: true},
		{Kind: Get, Consistencies: []Consistency{{Name: "fresh", RPCs: "1 Sync + 1 Get"}, {Name: "stale", RPCs: "1 Get"}}},
		{Kind: Delete, RPCs: "1 Delete", TxnRPCs: "1 Seek"},
		{Kind: CAS, RPCs: "1 Swap", CurrentRPCs: "1 Look"},
		{Kind: Scan, RPCs: "1 Range", KeysOnly: true},
		{Kind: Txn, RPCs: "1 Txn"},
	}}
	put, leased := OpSpec{Kind: Put}, OpSpec{Kind: Put, TTL: time.Second}
	cas, create := OpSpec{Kind: CAS}, OpSpec{Kind: CAS, Absent: true}
	for name, c := range map[string]struct {
		op   OpSpec
		want string
	}{
		"put":                    {put, "1 Put"},
		"put with ttl":           {leased, "1 Lease + 1 Put"},
		"fresh get":              {OpSpec{Kind: Get, Consistency: "fresh"}, "1 Sync + 1 Get"},
		"stale get":              {OpSpec{Kind: Get, Consistency: "stale"}, "1 Get"},
		"cas":                    {cas, "1 Look + 1 Swap"},
		"cas that creates":       {create, "1 Swap"},
		"txn":                    {OpSpec{Kind: Txn, Ops: []OpSpec{put, create}}, "1 Txn"},
		"txn with cas":           {OpSpec{Kind: Txn, Ops: []OpSpec{put, cas}}, "1 Look + 1 Txn"},
		"txn with what it reads": {OpSpec{Kind: Txn, Ops: []OpSpec{{Kind: Delete}, put, {Kind: Delete}}}, "2 x 1 Seek + 1 Txn"},
		"txn with several":       {OpSpec{Kind: Txn, Ops: []OpSpec{cas, leased, cas, create, cas}}, "3 x 1 Look + 1 Lease + 1 Txn"},
		"delete":                 {OpSpec{Kind: Delete}, "1 Delete"},
		"scan":                   {OpSpec{Kind: Scan}, "1 Range"},
		"scan of keys alone":     {OpSpec{Kind: Scan, KeysOnly: true}, "1 Range, keys only"},
		"what can't be done":     {OpSpec{Kind: ListChildren}, ""},
		"what can't, within txn": {OpSpec{Kind: Txn, Ops: []OpSpec{{Kind: ListChildren}}}, "1 Txn"},
	} {
		if got := s.Describe(c.op); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestNeeds(t *testing.T) {
	s := Spec{Ops: []OpInfo{
		{Kind: Put, RPCs: "1 Put", TTLRPCs: "1 Grant"},
		{Kind: Get, Consistencies: []Consistency{{Name: "default", RPCs: "1 get"}, {Name: "synced", RPCs: "1 sync + 1 get", More: 1}}},
		{Kind: Delete, RPCs: "1 Delete", TxnRPCs: "1 Range"},
		{Kind: CAS, RPCs: "1 Txn", CurrentRPCs: "1 Range"},
		{Kind: Txn, RPCs: "1 Txn"},
	}}
	tests := []struct {
		op   OpSpec
		want int
	}{
		{OpSpec{Kind: Put}, 1},
		{OpSpec{Kind: Put, TTL: 1}, 2},
		{OpSpec{Kind: Get, Consistency: "default"}, 1},
		{OpSpec{Kind: Get, Consistency: "synced"}, 2},
		{OpSpec{Kind: CAS}, 2},
		{OpSpec{Kind: CAS, Absent: true}, 1},
		{OpSpec{Kind: Txn, Ops: []OpSpec{{Kind: CAS}, {Kind: Put}, {Kind: CAS}}}, 3},
		{OpSpec{Kind: Delete}, 1},
		{OpSpec{Kind: Txn, Ops: []OpSpec{{Kind: Delete}, {Kind: Put}}}, 2},
		{OpSpec{Kind: Scan}, 0},
	}
	for _, tt := range tests {
		if got := s.Needs(tt.op); got != tt.want {
			t.Errorf("%+v needs %d RPCs, want %d", tt.op, got, tt.want)
		}
	}
}

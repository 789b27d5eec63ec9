package sheets

import "github.com/kvscen/kvscen/internal/result"

// keyLine is a range of requests of one operation.
type keyLine struct {
	result.KeyRange
	op string
}

func byKey() kind {
	const name = "client-latency-by-key-number"
	return sheet[keyLine]{
		name: name, doc: "latency by cumulative key number: a line for each range of 1,000 requests (of a power of two times as many where a step has over 4,096 ranges) with the latencies of the requests in it, whichever second they completed in; a range without an ok request has none",
		columns: []column[keyLine]{
			{Column{"KEYS", "count", "requests of the phase up to the end of the range; of keys taken in sequence, keys"}, func(k keyLine) string { return whole(k.To) }},
			{Column{"MIN-LATENCY-MS", "ms", "least latency of the ok requests in it"}, func(k keyLine) string { return milliseconds(k.Min) }},
			{Column{"AVG-LATENCY-MS", "ms", "mean"}, func(k keyLine) string { return milliseconds(k.Mean) }},
			{Column{"MAX-LATENCY-MS", "ms", "most"}, func(k keyLine) string { return milliseconds(k.Max) }},
			{Column{"OK-REQUESTS-NUM", "count", "ok requests in it"}, func(k keyLine) string { return whole(k.N) }},
			{Column{"FIRST-KEY", "count", "number of its first request, from 0"}, func(k keyLine) string { return whole(k.From) }},
			{Column{"OPERATION", "", "name of the operation"}, func(k keyLine) string { return text(k.op) }},
		},
		tables: func(sub *subject) ([]table[keyLine], error) {
			var lines []keyLine
			for i, op := range sub.phase.Ops {
				for _, k := range sub.phase.LatencyByKey(i) {
					lines = append(lines, keyLine{k, op.Name})
				}
			}
			return one(name, lines), nil
		},
	}
}

// trackByKey are memory and bytes by the number of requests.
func trackByKey() []kind {
	var list []kind
	for _, f := range []struct {
		name, column, unit, what, track string
		print                           func(float64) string
	}{
		{"server-memory-by-key-number", "VMRSS-MB", "MB", "resident memory of members", "rss_bytes", megabytes},
		{"server-read-bytes-delta-by-key-number", "READ-BYTES-NUM-DELTA", "bytes/s", "what members read from disk in a second", "read_bytes_per_second", func(v float64) string { return decimal(v, 0) }},
		{"server-write-bytes-delta-by-key-number", "WRITE-BYTES-NUM-DELTA", "bytes/s", "what members wrote to disk in a second", "write_bytes_per_second", func(v float64) string { return decimal(v, 0) }},
	} {
		list = append(list, sheet[result.KeyRange]{
			name: f.name,
			doc:  f.what + ", by cumulative key number: the samples that were taken while so many requests had completed, members and samples alike; ranges are as wide as it takes for two samples a member, and one in which none was taken has no line",
			columns: []column[result.KeyRange]{
				{Column{"KEYS", "count", "requests of the phase up to the end of the range"}, func(k result.KeyRange) string { return whole(k.To) }},
				{Column{"MIN-" + f.column, f.unit, "least"}, func(k result.KeyRange) string { return f.print(k.Min) }},
				{Column{"AVG-" + f.column, f.unit, "mean"}, func(k result.KeyRange) string { return f.print(k.Mean) }},
				{Column{"MAX-" + f.column, f.unit, "most"}, func(k result.KeyRange) string { return f.print(k.Max) }},
				{Column{"SAMPLES-NUM", "count", "samples in the range"}, func(k result.KeyRange) string { return whole(k.N) }},
			},
			tables: func(sub *subject) ([]table[result.KeyRange], error) {
				return one(f.name, sub.phase.TrackByKey("member:", f.track)), nil
			},
		})
	}
	return list
}

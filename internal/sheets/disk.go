package sheets

import (
	"math"

	"github.com/dustin/go-humanize"

	"github.com/kvscen/kvscen/internal/result"
)

// usedDisk is what the data of a member takes.
type usedDisk struct {
	index  int
	member result.Member
	bytes  float64
}

func diskUsage() kind {
	const name = "server-disk-space-usage-summary"
	return sheet[usedDisk]{
		name: name, doc: "allocated bytes of each member's data folder at the end of the phase",
		columns: []column[usedDisk]{
			{Column{"INDEX", "count", "of the member, from 0"}, func(d usedDisk) string { return whole(d.index) }},
			{Column{"DATABASE-ENDPOINT", "", "its endpoint"}, func(d usedDisk) string { return text(d.member.Endpoint) }},
			{Column{"DISK-SPACE-USAGE", "in the text", "rounded, in powers of 1,000"}, func(d usedDisk) string {
				if math.IsNaN(d.bytes) || d.bytes < 0 {
					return ""
				}
				return humanize.Bytes(uint64(d.bytes))
			}},
			{Column{"DISK-SPACE-USAGE-BYTES-NUM", "bytes", "exact"}, func(d usedDisk) string { return decimal(d.bytes, 0) }},
			{Column{"MEMBER", "", "its name"}, func(d usedDisk) string { return text(d.member.Name) }},
		},
		tables: func(sub *subject) ([]table[usedDisk], error) {
			if len(sub.phase.Steps) == 0 {
				return nil, nil
			}
			used := map[string]float64{}
			for _, u := range sub.phase.Steps[len(sub.phase.Steps)-1].Usage.Members {
				used[u.Name] = known(u.DiskUsage)
			}
			var lines []usedDisk
			for i, m := range sub.cluster.Members {
				bytes, ok := used[m.Name]
				if !ok {
					bytes = math.NaN()
				}
				lines = append(lines, usedDisk{i, m, bytes})
			}
			return one(name, lines), nil
		},
	}
}

package report

// bulkyBytes is the payload of a request from which on its rate in bytes says as
// much as the rate of requests. Below, it would be one more row to pass over.
const bulkyBytes = 16 << 10

// payloadRows are what the requests moved: in all, and a second where a column
// moves much in that direction.
func payloadRows(sent, received bool) []row {
	const given = "; given where it is 16 KiB a request or more"
	rows := []row{figure("payload sent", "written_bytes", size, "bytes of keys and values sent to the store")}
	if sent {
		rows = append(rows, figure("payload sent a second", "write_throughput", megabytes, "payload sent / TOTAL-SECONDS, 1 MB being 10^6 bytes"+given))
	}
	rows = append(rows, figure("payload received", "read_bytes", size, "bytes of keys and values received from it"))
	if received {
		rows = append(rows, figure("payload received a second", "read_throughput", megabytes, "payload received / TOTAL-SECONDS, 1 MB being 10^6 bytes"+given))
	}
	return rows
}

// sends and receives report whether ok requests moved much each.
func sends(c *column) bool    { return bulky(c.view.Written, c.view.Counts.OK) }
func receives(c *column) bool { return bulky(c.view.Read, c.view.Counts.OK) }

func bulky(moved, ok uint64) bool { return moved > 0 && moved >= bulkyBytes*ok }

// megabytes prints bytes a second: 1,234.5 MB/sec.
func megabytes(v float64) string { return cellMegabytes(v) + " MB/sec" }

// cellMegabytes is the same in columns headed by their unit.
func cellMegabytes(v float64) string { return decimals(v/1e6, 1) }

package result

// Ranges are latencies by the number of the request in its phase; where keys are
// taken in sequence, that is the number of the key. Range i holds the requests
// from First + i*Width up to the next range, whichever second they completed in.
// Latencies are response times where there is a schedule, else service times, in
// nanoseconds, of the ok requests; null where there was none.
type Ranges struct {
	First uint64   `json:"first"` // number of the first request of the step, from 0
	Width uint64   `json:"width"` // requests in a range: 1,000, and a power of two times as many where there would be over 4,096 ranges
	OK    []uint32 `json:"ok"`
	Min   Values   `json:"min"`
	Mean  Values   `json:"mean"`
	Max   Values   `json:"max"`
}

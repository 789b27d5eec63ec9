package result

import "time"

// Logged are the lines of a member's log that matched a marker within one second
// of a phase.
type Logged struct {
	At     time.Time `json:"at"` // of the first of them, by the client's clock
	Member string    `json:"member"`
	Label  string    `json:"label"` // the marker's
	Count  int       `json:"count"`
	// AtRead says that they bear no time, or one that can't be right: At is when
	// they were read, at the end of the phase.
	AtRead bool   `json:"at_read,omitempty"`
	Text   string `json:"text"` // the beginning of the first
}

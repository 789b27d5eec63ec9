package pebble

import (
	"errors"
	"fmt"
	"slices"
	"syscall"
)

// lasting are errors that writing again does not mend; never changed.
var lasting = []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS}

// giveUp is told what went wrong behind the requests, in the goroutine in which it
// did. What is in memory can't be written out: the library would try again at once,
// without a pause and without an end, beside whatever is measured next, and all
// writes would wait for it. The member is given up, and the library waits for ever.
func giveUp(err error, failed func(error)) {
	if !slices.ContainsFunc(lasting, func(l error) bool { return errors.Is(err, l) }) {
		return
	}
	failed(fmt.Errorf("writing out what is in memory: %w", err))
	select {}
}

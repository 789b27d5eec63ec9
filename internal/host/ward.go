package host

import (
	"syscall"
	"time"
)

const (
	sweepEvery = 50 * time.Millisecond
	sweepLimit = 10 * time.Second // for processes that even KILL can't end, such as one waiting for a dead disk
)

// ward is the child that a guard minds, with all that is below it.
type ward struct {
	pid      int
	ask      func()                   // asks it to end
	hurry    func()                   // asks it to end at once; nil: it is killed
	patience time.Duration            // from ask until it is killed
	lingers  bool                     // what it leaves behind when it was asked to end has until then, too
	ended    func(syscall.WaitStatus) // told once when the child itself has ended
}

// mind waits until the child and all that is below it are gone, and carries out
// orders. A child that ends without being asked takes everything below it along.
func (w ward) mind(o orders) status {
	var (
		main, none = reap(w.pid)
		stop, quit = o.stop, o.quit
		end        status
		patience   <-chan time.Time
		sweep      <-chan time.Time
		giveUp     <-chan time.Time
	)
	kill := func() {
		if giveUp == nil {
			giveUp = time.After(sweepLimit)
		}
		killBelow(w.pid)
		sweep = time.After(sweepEvery)
	}
	finish := func(ws syscall.WaitStatus) {
		end = ended(ws)
		w.ended(ws)
	}
	for {
		select {
		case <-stop:
			stop = nil
			w.ask()
			patience = time.After(w.patience)
		case <-quit:
			if w.hurry == nil {
				kill()
				break
			}
			w.hurry()
			patience = time.After(w.patience)
		case ws := <-main:
			finish(ws)
			if stop != nil || !w.lingers {
				kill()
			}
		case <-patience:
			kill()
		case <-sweep:
			kill()
		case <-none:
			select {
			case ws := <-main:
				finish(ws)
			default:
			}
			// Where orphans do not fall to us this is what ends them.
			_ = syscall.Kill(-w.pid, syscall.SIGKILL)
			return end
		case <-giveUp:
			return end
		}
	}
}

// reap waits for every child of this process, adopted ones included. It sends
// the end of pid on main and closes none when no child is left; on Linux, where
// orphans fall to us, that means that nothing below us is left.
func reap(pid int) (main <-chan syscall.WaitStatus, none <-chan struct{}) {
	ends, gone := make(chan syscall.WaitStatus, 1), make(chan struct{})
	go func() {
		defer close(gone)
		for {
			var ws syscall.WaitStatus
			got, err := syscall.Wait4(-1, &ws, 0, nil)
			switch {
			case err == syscall.EINTR:
			case err != nil:
				return
			case got == pid:
				ends <- ws
			}
		}
	}()
	return ends, gone
}

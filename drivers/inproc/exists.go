package inproc

import "github.com/kvscen/kvscen/drivers"

// exists looks for a key, which is the request's own as in get.
type exists struct {
	reader Reader
	key    []byte
	found  bool
}

func (e *exists) load(op *drivers.Op) error {
	e.key = op.Key
	return nil
}

func (e *exists) run(func(int) bool) (err error) {
	e.found, err = e.reader.Has(e.key)
	return err
}

func (e *exists) result(op *drivers.Op) { op.Found = e.found }

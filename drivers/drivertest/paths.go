package drivertest

import (
	"context"
	"errors"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// runner carries out one request at a time, by whichever path.
type runner interface {
	do(ctx context.Context, op *drivers.Op) error
	close()
}

// opener binds operations on a connection; a nil runner: it has no such path.
type opener func(conn drivers.Conn, specs []drivers.OpSpec) (runner, error)

var paths = []struct {
	name string
	open opener
}{
	{"do", openDo},
	{"pipe", openPipe},
}

type doRunner struct{ client drivers.Client }

func openDo(conn drivers.Conn, specs []drivers.OpSpec) (runner, error) {
	c, err := conn.Client(specs)
	if err != nil {
		return nil, err
	}
	return doRunner{c}, nil
}

func (r doRunner) do(ctx context.Context, op *drivers.Op) error {
	if op.Deadline.IsZero() {
		op.Deadline = time.Now().Add(timeout)
	}
	return r.client.Do(ctx, op)
}

func (r doRunner) close() {}

type pipeRunner struct{ pipe drivers.Pipe }

func openPipe(conn drivers.Conn, specs []drivers.OpSpec) (runner, error) {
	piper, ok := conn.(drivers.Piper)
	if !ok {
		return nil, nil
	}
	p, err := piper.Pipe(specs, 4)
	if err != nil {
		return nil, err
	}
	return pipeRunner{p}, nil
}

func (r pipeRunner) do(ctx context.Context, op *drivers.Op) error {
	if op.Deadline.IsZero() {
		op.Deadline = time.Now().Add(timeout)
	}
	if err := r.pipe.Submit(op); err != nil {
		return err
	}
	if err := r.pipe.Flush(); err != nil {
		return err
	}
	var done [2]*drivers.Op
	n, err := r.pipe.Reap(ctx, done[:], 2*timeout)
	switch {
	case err != nil:
		return err
	case n != 1 || done[0] != op:
		return errors.New("reap gave something else than the one request back")
	}
	return op.Err
}

func (r pipeRunner) close() { r.pipe.Close() }

package cluster

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"

	"github.com/kvscen/kvscen/internal/plan"
)

const (
	bodyLimit = 1 << 20   // bytes of an answer that are looked at
	lineLimit = 256 << 10 // bytes of a log line that are looked at
)

// probeTCP connects.
func probeTCP(addr string) probe {
	return func(ctx context.Context) error {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
		if err != nil {
			return err
		}
		return conn.Close()
	}
}

// probeHTTP asks for a page, straight, whatever proxy the environment names.
func probeHTTP(r plan.Ready) (probe, error) {
	want, err := regexp.Compile(r.Body)
	if err != nil {
		return nil, fmt.Errorf("ready: %w", err)
	}
	status := cmp.Or(r.Status, http.StatusOK)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	return func(ctx context.Context) error {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.URL, nil)
		if err != nil {
			return err
		}
		answer, err := client.Do(request)
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(io.LimitReader(answer.Body, bodyLimit))
		switch {
		case err != nil:
			return fmt.Errorf("read %s: %w", r.URL, err)
		case answer.StatusCode != status:
			return fmt.Errorf("%s answers with status %d, not %d", r.URL, answer.StatusCode, status)
		case !want.Match(body):
			return fmt.Errorf("the answer of %s does not match %q", r.URL, r.Body)
		}
		return nil
	}, nil
}

// probeLog waits for a line, and reads each line once.
func probeLog(u *unit, from int64, pattern string) (probe, error) {
	want, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("ready: %w", err)
	}
	return func(context.Context) error {
		if err := u.copyLog(); err != nil {
			return err
		}
		found := false
		next, err := eachLine(u.log, from, -1, func(line []byte) {
			found = found || want.Match(line)
		})
		from = next
		if err != nil {
			return err
		}
		if !found {
			return fmt.Errorf("no line of its log matches %q yet", pattern)
		}
		return nil
	}, nil
}

// probeExec runs a program, under a guard as everything we start, with the
// environment and in the folder of the process.
func (c *Cluster) probeExec(u *unit, r plan.Ready) probe {
	command := u.command
	command.Argv, command.Log = r.Argv, u.command.Log+".ready"
	command.Signal, command.Grace = "KILL", 0
	return func(ctx context.Context) error {
		p, err := u.at.machine.Start(ctx, command)
		if err != nil {
			return err
		}
		select {
		case <-p.Done():
		case <-ctx.Done():
		}
		late := ctx.Err() != nil
		if err := p.Stop(ctx); err != nil && !late {
			return err
		}
		if late {
			return fmt.Errorf("%s has not ended yet", r.Argv[0])
		}
		if err := p.Err(); err != nil {
			return fmt.Errorf("%s %w", r.Argv[0], err)
		}
		return nil
	}
}

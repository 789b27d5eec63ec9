package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kvscen/kvscen/engine"
	"github.com/kvscen/kvscen/internal/live"
	"github.com/kvscen/kvscen/internal/progress"
)

// listen opens the page of metrics, where one is asked for, before anything is
// started. close gives the port back.
func (f *runFlags) listen(cmd *cobra.Command) (close func(), err error) {
	if f.metricsAddr == "" {
		return func() {}, nil
	}
	server, err := live.Listen(f.metricsAddr)
	if bad, ok := errors.AsType[*live.BadAddress](err); ok {
		return nil, usage("--metrics-addr: %w", bad)
	}
	if err != nil {
		return nil, setup("--metrics-addr: %w", err)
	}
	f.live = server
	if !f.quiet {
		fmt.Fprintln(cmd.ErrOrStderr(), "metrics:", server.URL())
	}
	return func() {
		if err := server.Close(); err != nil {
			fmt.Fprintln(cmd.ErrOrStderr(), "warning:", err)
		}
	}, nil
}

// observers are those who look at a run while it goes on.
func (f *runFlags) observers(cmd *cobra.Command, scenario string) (engine.Observer, error) {
	var all engine.Observers
	if !f.quiet {
		all = append(all, progress.New(cmd.ErrOrStderr(), terminal(), terminalWidth))
	}
	if f.live != nil {
		run, err := f.live.Begin(scenario, version())
		if err != nil {
			return nil, internal("%w", err)
		}
		all = append(all, run)
	}
	if len(all) == 0 {
		return nil, nil
	}
	return all, nil
}

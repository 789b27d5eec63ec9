package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/kvscen/kvscen/engine"
	"github.com/kvscen/kvscen/internal/live"
	"github.com/kvscen/kvscen/internal/report"
	"github.com/kvscen/kvscen/internal/result"
	"github.com/kvscen/kvscen/internal/scenario"
)

// runFlags are those of run.
type runFlags struct {
	scenarioFlags
	out, data string
	hosts     string
	keepData  bool
	quiet     bool
	json      bool
	strict    bool
	failFast  bool
	abort     bool
	plots     bool
	inTurn    bool

	metricsAddr string
	live        *live.Server // nil: nobody watches
}

func newRun() *cobra.Command {
	var flags runFlags
	cmd := &cobra.Command{
		Use:   "run FILE|DIR",
		Short: "run a scenario, or each one of a folder",
		Long: `run starts the clusters of a scenario, sends its load, and prints the table.
What is ahead and how it goes is printed on stderr, the table on stdout. All that
was measured is written to a result folder, which 'kvscen report' reads; its
report.html shows the same with charts.

A cluster that can't be set up, or that loses a member, ends early; what was
measured on it is kept and marked, and the next one is run. With --fail-fast it
is not. The exit status is the failure's in any case.

With --abort-on-expect a run without prospect ends early, with status 5. An
expectation is judged as soon as all its figures are final: its phase has ended, in
the last repetition. Before that it has no prospect only where more requests can't
mend it: a count or a largest value, such as failed, max or client_max_memory, is
above its limit; or, of a phase whose number of requests is given, so many have
failed that error_rate ends above its limit even if all others succeed. Failed
requests and the slowest one are looked at each second, the rest at the end of a
phase. What was measured is kept, and other clusters are not run. Checks and
comparisons wait for the end of the run.

The first Ctrl-C (or SIGTERM) ends the phase, stops the clusters and writes what
there is; a second one ends at once. Nothing that was started stays behind.

Exit status: 0 ok, 2 usage or script, 3 set-up failed, 4 run failed (nothing ok,
more errors than max_errors, a member or host lost), 5 a check or expectation
failed or is unknown, 6 untrusted (with --strict: the client was the bottleneck,
throughput never settled, ...), 8 a report of the scenario failed,
130 or 143 interrupted, 1 internal error. The first cause wins.`,
		Example: `  kvscen run --small scenarios/write-1m.star
  kvscen run scenarios/write-1m.star
  kvscen run --set clients=10,100 --set requests=100000 scenarios/write-1m.star
  kvscen run --small --json scenarios/mixed-zipfian.star > run.json
  kvscen run --hosts hosts.txt scenarios/write-1m.star
  kvscen run --data /mnt/ssd --out /tmp/night scenarios/`,
		Args: needArgs(1, 1, "one scenario file or folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := withSignals(cmd.Context(), os.Exit)
			defer stop()
			return runAll(ctx, cmd, args[0], flags)
		},
	}
	flags.add(cmd)
	cmd.Flags().StringVar(&flags.out, "out", "", "result `folder`, new or empty (default results/NAME-TIME)")
	cmd.Flags().StringVar(&flags.data, "data", "", "`folder` below which members keep their data (default the result folder)")
	cmd.Flags().StringVar(&flags.hosts, "hosts", "", "`file` of machines to start members on over SSH, one a line: [user@]addr[:port] [key=FILE] [ip=ADDR] [dir=FOLDER] [sudo=yes] [upload=no]")
	cmd.Flags().BoolVar(&flags.keepData, "keep-data", false, "leave the members' data where it is")
	cmd.Flags().BoolVarP(&flags.quiet, "quiet", "q", false, "print the table alone")
	cmd.Flags().BoolVar(&flags.json, "json", false, "print the figures as JSON in place of the table")
	cmd.Flags().BoolVar(&flags.failFast, "fail-fast", false, "run nothing more once a cluster, or a scenario of a folder, has failed")
	cmd.Flags().BoolVar(&flags.abort, "abort-on-expect", false, "end the run as soon as an expectation can't be met any more")
	cmd.Flags().BoolVar(&flags.inTurn, "interleave", false, "take the clusters of a repeated scenario in turn, A B B A in place of A A B B")
	cmd.Flags().StringVar(&flags.metricsAddr, "metrics-addr", "", "show live metrics in Prometheus' text format at `[HOST]:PORT`/metrics; without HOST to this machine alone")
	cmd.Flags().BoolVar(&flags.plots, "plots", false, "draw the charts as SVG and PNG too, as 'kvscen plot' does")
	cmd.Flags().BoolVar(&flags.strict, "strict", false, "exit with status 6 if the result carries a bad mark")
	return cmd
}

// runAll runs one file, or the files of a folder one after the other. The exit
// status is that of the first one that failed; an interrupt ends the whole.
func runAll(ctx context.Context, cmd *cobra.Command, path string, flags runFlags) error {
	files, err := flags.files(ctx, path)
	if err != nil {
		return err
	}
	closeMetrics, err := flags.listen(cmd)
	if err != nil {
		return err
	}
	defer closeMetrics()
	many := len(files) > 1
	status := result.StatusOK
	for _, file := range files {
		if err := runFile(ctx, cmd, file, flags, many); err != nil {
			f := asFailure(result.StatusInternal, err)
			printError(cmd.ErrOrStderr(), f)
			status = cmp.Or(status, f.status)
		}
		if ctx.Err() != nil || flags.failFast && status != result.StatusOK {
			break
		}
	}
	if status != result.StatusOK {
		return &failure{status: status}
	}
	return nil
}

// runFile runs one scenario and prints its result.
func runFile(ctx context.Context, cmd *cobra.Command, file string, flags runFlags, many bool) error {
	s, err := scenario.Open(ctx, file, flags.options())
	if err != nil {
		if cause, ok := errors.AsType[interrupted](context.Cause(ctx)); ok {
			return &failure{cause.status, cause}
		}
		return &failure{result.StatusUsage, err}
	}
	if err := placeOn(s.Plan, flags.hosts); err != nil {
		return err
	}
	if flags.inTurn {
		interleave(s.Plan, cmd.ErrOrStderr())
	}
	if err := announce(cmd, s.Plan, cmp.Or(flags.data, resultRoot(flags.out, many)), flags.quiet); err != nil {
		return err
	}
	out, err := makeResultFolder(flags.out, s.Plan.Name, many)
	if err != nil {
		return err
	}
	data, err := makeDataFolder(flags.data, out)
	if err != nil {
		return err
	}
	if !flags.keepData {
		defer os.RemoveAll(data)
	}
	run, err := conduct(ctx, cmd, s, engine.Config{
		Drivers: driversByName(), Version: version(), Out: out, Data: data, KeepData: flags.keepData, FailFast: flags.failFast,
	}, flags)
	if err != nil {
		return err
	}
	return finish(ctx, cmd, s, run, out, flags)
}

// finish judges a run, writes it with its verdicts and reports, and prints it.
func finish(ctx context.Context, cmd *cobra.Command, s *scenario.Scenario, run *result.Run, out string, flags runFlags) error {
	after := context.WithoutCancel(ctx)
	run.Verdicts = s.Evaluate(after, run)
	run.Reports = s.Reports(after, run)
	settle(ctx, run, flags.strict)
	unsaved := result.Save(out, run) // a full disk is no reason not to show what was measured
	show := report.Table
	if flags.json {
		show = report.JSON
	}
	if err := show(cmd.OutOrStdout(), run); err != nil {
		return asInternal(err)
	}
	if unsaved == nil {
		unsaved = writePages(run, out, flags.plots)
	}
	if unsaved != nil {
		return &failure{cmp.Or(run.Status, result.StatusInternal), unsaved}
	}
	if run.Status != result.StatusOK {
		return &failure{run.Status, fmt.Errorf("%s: %s", s.Plan.Name, run.Reason)}
	}
	return nil
}

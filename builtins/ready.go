package builtins

import (
	"regexp"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
)

// Ready is a probe: how a process is seen to be ready.
type Ready struct {
	object
	plan plan.Ready
}

// Attr reads a field.
func (r *Ready) Attr(name string) (starlark.Value, error) { return r.attr(r, name) }

func tcpReadyBuiltin() builtin {
	return builtin{signature: "tcp_ready(addr)", doc: "Ready when host:port accepts a connection.", make: makeTCPReady}
}

func makeTCPReady(c *call) (starlark.Value, error) {
	return c.ready(plan.Ready{Kind: "tcp", Addr: c.str("addr", "")})
}

func httpReadyBuiltin() builtin {
	return builtin{signature: "http_ready(url, status=200, body=None)", doc: "Ready when the URL answers with the status, and its body matches.", make: makeHTTPReady}
}

func makeHTTPReady(c *call) (starlark.Value, error) {
	return c.ready(plan.Ready{Kind: "http", URL: c.str("url", ""), Status: int(c.integer("status", 200)), Body: c.pattern("body")})
}

func logReadyBuiltin() builtin {
	return builtin{signature: "log_ready(regexp)", doc: "Ready when a line of the log matches.", make: makeLogReady}
}

func makeLogReady(c *call) (starlark.Value, error) {
	return c.ready(plan.Ready{Kind: "log", Regexp: c.pattern("regexp")})
}

func execReadyBuiltin() builtin {
	return builtin{signature: "exec_ready(argv)", doc: "Ready when the command ends with status 0.", make: makeExecReady}
}

func makeExecReady(c *call) (starlark.Value, error) {
	argv := c.strs("argv")
	if len(argv) == 0 {
		c.fail("argv", "want a program and its arguments, as a list")
	}
	return c.ready(plan.Ready{Kind: "exec", Argv: argv})
}

func (c *call) ready(r plan.Ready) (starlark.Value, error) {
	return &Ready{object: c.object(), plan: r}, nil
}

// pattern reads a regular expression.
func (c *call) pattern(name string) string {
	s := c.str(name, "")
	if _, err := regexp.Compile(s); err != nil {
		c.fail(name, "%v", err)
	}
	return s
}

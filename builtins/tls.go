package builtins

import (
	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/plan"
)

// TLS names the files of a secured connection.
type TLS struct {
	object
	plan plan.TLS
}

func tlsBuiltin() builtin {
	return builtin{
		signature: "tls(ca=None, cert=None, key=None, server_name=None, insecure=False)",
		doc:       "PEM files of a secured connection: the authority of the server, and a certificate and key of one's own.",
		make:      makeTLS,
	}
}

func makeTLS(c *call) (starlark.Value, error) {
	t := &TLS{plan: plan.TLS{
		CA:         c.str("ca", ""),
		Cert:       c.str("cert", ""),
		Key:        c.str("key", ""),
		ServerName: c.str("server_name", ""),
		Insecure:   c.boolean("insecure", false),
	}}
	if (t.plan.Cert == "") != (t.plan.Key == "") {
		c.fail("cert", "cert and key go together")
	}
	t.object = c.object()
	return t, nil
}

// Attr reads a field.
func (t *TLS) Attr(name string) (starlark.Value, error) { return t.attr(t, name) }

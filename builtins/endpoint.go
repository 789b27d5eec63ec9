package builtins

import (
	"errors"
	"net"
	"strconv"
	"strings"
)

// checkEndpoint says why a text is no host:port. An IPv6 host stands in
// brackets.
func checkEndpoint(text string) error {
	if scheme, _, ok := strings.Cut(text, "://"); ok {
		return errors.New(": leave out " + scheme + "://; tls = says that the connection is secured")
	}
	host, port, err := net.SplitHostPort(text)
	if e, ok := errors.AsType[*net.AddrError](err); ok {
		return errors.New(": " + e.Err)
	}
	if err != nil {
		return err
	}
	if host == "" {
		return errors.New(": there is no host")
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return errors.New(": the port must be a number between 1 and 65535")
	}
	return nil
}

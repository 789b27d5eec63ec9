package etcdv2

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/kvscen/kvscen/drivers"
)

// exists asks for the head of a key's page, so that no value is sent. The
// library has no such request.
func (c *client) exists(ctx context.Context, op *drivers.Op) error {
	page := url.URL{Path: keysPath + pathOf(op.Key)}
	request, err := http.NewRequestWithContext(ctx, http.MethodHead, c.conn.url+page.EscapedPath(), nil)
	if err != nil {
		return err
	}
	c.conn.authenticate(request)
	reply, err := c.sent.RoundTrip(request)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	switch reply.StatusCode {
	case http.StatusOK:
		op.Found = true
		return nil
	case http.StatusNotFound:
		return nil
	case http.StatusBadRequest: // what is above it is a key and no directory
		return nil
	}
	return statusError{reply.StatusCode}
}

const keysPath = "/v2/keys"

// statusError is an answer without words.
type statusError struct{ code int }

func (e statusError) Error() string {
	return fmt.Sprintf("HEAD: %d %s", e.code, http.StatusText(e.code))
}

// class is what a request with this answer is counted as.
func (e statusError) class() drivers.Class {
	if e.code >= http.StatusInternalServerError {
		return drivers.Unavailable
	}
	return drivers.Refused
}

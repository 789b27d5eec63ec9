package zookeeper

import (
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

func TestRefusedTargets(t *testing.T) {
	for want, target := range map[string]drivers.Target{
		"want host:port":     {Endpoint: "localhost"},
		"session_timeout":    {Options: map[string]any{"session_timeout": time.Duration(0)}},
		"mode":               {Options: map[string]any{"mode": "replace"}},
		"fanout":             {Options: map[string]any{"fanout": int64(-1)}},
		"max_request":        {Options: map[string]any{"max_request": int64(10)}},
		"max_reply":          {Options: map[string]any{"max_reply": int64(-1)}},
		"want \"open\" or":   {Options: map[string]any{"acl": "nobody"}},
		"there is no user":   {Options: map[string]any{"acl": "user"}},
		"needs a user":       {Password: "secret"},
		"no colon":           {User: "a:b"},
		"want \"\" or":       {Options: map[string]any{"proxy": "nginx"}},
		"zetcd knows no":     {User: "alice", Options: map[string]any{"proxy": "zetcd"}},
		"sequential":         {Options: map[string]any{"sequential": true, "mode": "set"}},
		"connection refused": {}, // at once, long before the timeout
	} {
		if target.Endpoint == "" {
			target.Endpoint = "127.0.0.1:1"
		}
		target.Timeout = time.Minute
		start := time.Now()
		conn, err := New().Dial(t.Context(), target)
		if err == nil {
			conn.Close()
			t.Fatalf("%s: dial succeeded", want)
		}
		if text := err.Error(); !strings.Contains(text, want) || !strings.Contains(text, target.Endpoint) {
			t.Errorf("error %q, want %q and the endpoint in it", text, want)
		}
		if d := time.Since(start); d > target.Timeout/2 {
			t.Errorf("%s: dial failed after %v", want, d)
		}
	}
}

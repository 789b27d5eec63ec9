package mem

import (
	"fmt"
	"testing"
	"time"

	"github.com/kvscen/kvscen/drivers"
)

// BenchmarkDo with keep = False is what the engine's own cost is measured on.
func BenchmarkDo(b *testing.B) {
	for _, keep := range []bool{false, true} {
		for _, kind := range []drivers.Kind{drivers.Get, drivers.Put} {
			b.Run(fmt.Sprintf("keep=%v/%v", keep, kind), func(b *testing.B) {
				d := New()
				c, err := d.Dial(b.Context(), open(b, d, map[string]any{"keep": keep}))
				if err != nil {
					b.Fatal(err)
				}
				client, err := c.Client([]drivers.OpSpec{{Kind: kind}})
				if err != nil {
					b.Fatal(err)
				}
				ctx := b.Context()
				op := drivers.Op{Key: make([]byte, 256), Value: make([]byte, 1024), Deadline: time.Now().Add(time.Hour)}
				b.ReportAllocs()
				for b.Loop() {
					if err := client.Do(ctx, &op); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkPipe is the cost of a request over a pipe of 1,000 clients.
func BenchmarkPipe(b *testing.B) {
	for name, options := range map[string]map[string]any{
		"at once": {"keep": false},
		"1 us":    {"keep": false, "service": time.Microsecond},
	} {
		b.Run(name, func(b *testing.B) {
			d := New()
			conn, err := d.Dial(b.Context(), open(b, d, options))
			if err != nil {
				b.Fatal(err)
			}
			const clients = 1000
			p, err := conn.(drivers.Piper).Pipe([]drivers.OpSpec{{Kind: drivers.Get}}, clients)
			if err != nil {
				b.Fatal(err)
			}
			done := make([]*drivers.Op, 0, clients)
			for range clients {
				done = append(done, &drivers.Op{Key: make([]byte, 256), Deadline: time.Now().Add(time.Hour)})
			}
			ctx := b.Context()
			b.ReportAllocs()
			b.ResetTimer()
			for ended, back := 0, clients; ended < b.N; ended += back {
				for _, op := range done[:back] {
					if err := p.Submit(op); err != nil {
						b.Fatal(err)
					}
				}
				if back, err = p.Reap(ctx, done[:clients], time.Second); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

package result

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
)

func TestEncodeIsReadByTheLibrary(t *testing.T) {
	var e encoder // reused, as the log does
	for name, values := range map[string][]int64{
		"empty": nil, "zero": {0}, "one": {1}, "hour": {HistHighest}, "many": draw(1, 20_000), "dense": upTo(4000), "edges": {2047, 2048, 4095, 4096},
	} {
		h := NewHDR()
		for _, v := range values {
			if err := h.RecordValue(v); err != nil {
				t.Fatal(err)
			}
		}
		data, err := e.encode(h)
		if err != nil {
			t.Fatal(err)
		}
		got, err := hdrhistogram.Decode(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !got.Equals(h) || got.TotalCount() != h.TotalCount() {
			t.Errorf("%s: decoded %d values, encoded %d", name, got.TotalCount(), h.TotalCount())
		}
	}
}

func TestEncodeLargeCounts(t *testing.T) {
	h := NewHDR()
	var total int64
	for i := range 12 { // every length of number up to the ninth byte
		n := int64(1)<<(7*min(i, 8)) + int64(i)
		if err := h.RecordValues(int64(i)*1000, n); err != nil {
			t.Fatal(err)
		}
		total += n
	}
	var e encoder
	data, err := e.encode(h)
	if err != nil {
		t.Fatal(err)
	}
	got, err := hdrhistogram.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if got.TotalCount() != total || !got.Equals(h) {
		t.Errorf("decoded %d values, encoded %d", got.TotalCount(), total)
	}
}

func TestZigZagOfExtremes(t *testing.T) {
	for v, want := range map[int64][]byte{
		0: {0}, -1: {1}, 1: {2}, -64: {127}, 64: {0x80, 1},
		math.MaxInt64: {0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
	} {
		if got := appendZigZag(nil, v); !bytes.Equal(got, want) {
			t.Errorf("%d is %x, want %x", v, got, want)
		}
	}
}

// busySecond is a second of 40,000 requests.
func busySecond(tb testing.TB) *hdrhistogram.Histogram {
	h := NewHDR()
	for i, v := range draw(3, 40_000) {
		if err := h.RecordValue(1_000_000 + v%9_000_000 + int64(i)); err != nil {
			tb.Fatal(err)
		}
	}
	return h
}

func BenchmarkEncode(b *testing.B) {
	h := busySecond(b)
	var e encoder
	for b.Loop() {
		if _, err := e.encode(h); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncodeByTheLibrary(b *testing.B) {
	h := busySecond(b)
	for b.Loop() {
		if _, err := h.Encode(hdrhistogram.V2CompressedEncodingCookieBase); err != nil {
			b.Fatal(err)
		}
	}
}

// TestValuesAreReadAsJSONSays compares the quick way with the library's.
func TestValuesAreReadAsJSONSays(t *testing.T) {
	for _, text := range []string{
		`[]`, `[ ]`, `null`, `[1]`, `[1, null,-2.5e3 ]`, "[null]", "[\n1,\n2\n]", `[1e999]`, `["1"]`, `[[1]]`, `[true]`, `[{"a":1}]`, `{}`, `"[1]"`, `7`, `[1,[2,3]]`,
	} {
		var want []*float64
		wantErr := json.Unmarshal([]byte(text), &want)
		var got Values
		err := json.Unmarshal([]byte(text), &got)
		if (err == nil) != (wantErr == nil) || err == nil && len(got) != len(want) {
			t.Errorf("%s: %v, %v; want %d values, %v", text, got, err, len(want), wantErr)
			continue
		}
		for i := range got {
			if err == nil && (want[i] == nil) != math.IsNaN(got[i]) || err == nil && want[i] != nil && *want[i] != got[i] {
				t.Errorf("%s: value %d is %g", text, i, got[i])
			}
		}
	}
}

package result

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// The V2 compressed encoding of HdrHistogram: cookie, length, and a zlib stream
// of a header and of the counts up to the last one that is not zero. A count is
// a ZigZag LEB128 number; a negative one stands for that many zeros.
const (
	cookieV2           = uint32(hdrhistogram.V2EncodingCookieBase | 0x10)
	cookieV2Compressed = uint32(hdrhistogram.V2CompressedEncodingCookieBase | 0x10)
)

// encoder encodes histograms one after the other, reusing its memory. The
// library's own encoder takes several times longer: it compresses at the highest
// level and makes a compressor, over a megabyte, for each histogram.
type encoder struct {
	payload []byte
	packed  bytes.Buffer
	zip     *zlib.Writer
}

// encode gives h in base64. The bytes are the caller's.
func (e *encoder) encode(h *hdrhistogram.Histogram) ([]byte, error) {
	s := h.Export()
	e.payload = appendCounts(appendHeader(e.payload[:0], s), s.Counts)
	binary.BigEndian.PutUint32(e.payload[4:], uint32(len(e.payload)-headerBytes))

	e.packed.Reset()
	e.packed.Write(make([]byte, 8))
	if e.zip == nil {
		z, err := zlib.NewWriterLevel(&e.packed, zlib.BestSpeed)
		if err != nil {
			return nil, fmt.Errorf("compressing a histogram: %w", err)
		}
		e.zip = z
	} else {
		e.zip.Reset(&e.packed)
	}
	if _, err := e.zip.Write(e.payload); err != nil {
		return nil, fmt.Errorf("compressing a histogram: %w", err)
	}
	if err := e.zip.Close(); err != nil {
		return nil, fmt.Errorf("compressing a histogram: %w", err)
	}
	b := e.packed.Bytes()
	binary.BigEndian.PutUint32(b, cookieV2Compressed)
	binary.BigEndian.PutUint32(b[4:], uint32(len(b)-8))
	return base64.StdEncoding.AppendEncode(nil, b), nil
}

const headerBytes = 40

func appendHeader(b []byte, s *hdrhistogram.Snapshot) []byte {
	b = binary.BigEndian.AppendUint32(b, cookieV2)
	b = binary.BigEndian.AppendUint32(b, 0) // length of the counts, filled in later
	b = binary.BigEndian.AppendUint32(b, 0) // normalizing index offset
	b = binary.BigEndian.AppendUint32(b, uint32(s.SignificantFigures))
	b = binary.BigEndian.AppendUint64(b, uint64(s.LowestTrackableValue))
	b = binary.BigEndian.AppendUint64(b, uint64(s.HighestTrackableValue))
	return binary.BigEndian.AppendUint64(b, math.Float64bits(1)) // integer to double ratio
}

func appendCounts(b []byte, counts []int64) []byte {
	zeros := int64(0)
	for _, c := range counts {
		if c == 0 {
			zeros++
			continue
		}
		if zeros > 0 {
			b = appendZigZag(b, -zeros)
			zeros = 0
		}
		b = appendZigZag(b, c)
	}
	return b
}

// appendZigZag writes at most nine bytes: the ninth holds eight bits.
func appendZigZag(b []byte, v int64) []byte {
	u := uint64(v<<1) ^ uint64(v>>63)
	for range 8 {
		if u < 0x80 {
			return append(b, byte(u))
		}
		b = append(b, byte(u)|0x80)
		u >>= 7
	}
	return append(b, byte(u))
}

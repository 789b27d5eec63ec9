package dist

import "encoding/binary"

// Fill makes value n of a stream: bytes that no compressor makes smaller, but
// for the given share of zeros at the end of each 256 bytes.
func Fill(b []byte, s Stream, n uint64, compressible float64) {
	x := uint64(s.Sub(n))
	if compressible <= 0 {
		fillWords(b, x)
		return
	}
	const run = 256
	for len(b) > 0 {
		chunk := b[:min(run, len(b))]
		random := len(chunk) - int(compressible*float64(len(chunk))+0.5)
		x = fillWords(chunk[:random], x)
		clear(chunk[random:])
		b = b[len(chunk):]
	}
}

// fillWords writes consecutive words of the stream at x and returns where it
// stands afterwards.
func fillWords(b []byte, x uint64) uint64 {
	for len(b) >= 8 {
		x += golden
		binary.LittleEndian.PutUint64(b, mix(x))
		b = b[8:]
	}
	if len(b) > 0 {
		x += golden
		var last [8]byte
		binary.LittleEndian.PutUint64(last[:], mix(x))
		copy(b, last[:])
	}
	return x
}

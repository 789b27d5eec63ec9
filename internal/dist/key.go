package dist

import "fmt"

// Encodings of keys.
const (
	Decimal = "decimal"
	Hex     = "hex"
	Random  = "random"
)

// Keys writes the keys of a set. It holds a buffer of its own and so serves one
// client only.
type Keys struct {
	buf    []byte
	start  int // of the encoded part
	digits int // of the encoded part that change
	random Stream
	encode func(k *Keys, i uint64)
}

// NewKeys makes the keys head + prefix + the encoded number, filled up so that
// prefix and number take size bytes. count is how many there are. seed only
// matters for Random.
func NewKeys(head, prefix string, size int, encoding string, count, seed uint64) (*Keys, error) {
	k := &Keys{start: len(head) + len(prefix)}
	k.buf = append([]byte(head), prefix...)
	for len(k.buf) < len(head)+size {
		k.buf = append(k.buf, '0')
	}
	width := len(k.buf) - k.start
	base := uint64(10)
	switch encoding {
	case Decimal:
		k.encode = (*Keys).decimal
	case Hex:
		k.encode, base = (*Keys).hex, 16
	case Random:
		k.encode, k.random = (*Keys).letters, NewStream(seed, "keys", head, prefix)
		return k, nil
	default:
		return nil, fmt.Errorf("no key encoding is called %q", encoding)
	}
	for n := max(count, 1) - 1; k.digits == 0 || n > 0; n /= base {
		k.digits++
	}
	if k.digits > width {
		return nil, fmt.Errorf("%d keys need %d digits; size %d leaves %d", count, k.digits, size, max(width, 0))
	}
	return k, nil
}

// At is key i. It is valid until the next call.
func (k *Keys) At(i uint64) []byte {
	k.encode(k, i)
	return k.buf
}

func (k *Keys) decimal(i uint64) {
	for at, end := len(k.buf)-1, len(k.buf)-k.digits; at >= end; at-- {
		k.buf[at] = byte('0' + i%10)
		i /= 10
	}
}

func (k *Keys) hex(i uint64) {
	for at, end := len(k.buf)-1, len(k.buf)-k.digits; at >= end; at-- {
		k.buf[at] = "0123456789abcdef"[i&15]
		i >>= 4
	}
}

// letters takes ten letters or digits from each word of a stream of the key's
// own.
func (k *Keys) letters(i uint64) {
	const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	const perWord = 10 // 62^10 < 2^60
	sub := k.random.Sub(i)
	var word uint64
	for at := k.start; at < len(k.buf); at++ {
		if nth := at - k.start; nth%perWord == 0 {
			word = sub.At(uint64(nth / perWord))
		}
		k.buf[at] = alphabet[word%uint64(len(alphabet))]
		word /= uint64(len(alphabet))
	}
}

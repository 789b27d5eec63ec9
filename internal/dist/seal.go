package dist

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// SealBytes is what a seal takes at the end of a value.
const SealBytes = 8

// Seal overwrites the end of a value by what Unsealed tests: the CRC-32C of its
// key, then that of all before it. CRC-32C (Castagnoli) is an instruction of
// current processors, which do some ten gigabytes a second: fast enough for
// every value of a run, and enough against damage, if not against malice. The
// value must have SealBytes at least. The same value sealed for the same key is
// the same again.
func Seal(value, key []byte) {
	body := value[:len(value)-SealBytes]
	identity := crc32.Checksum(key, castagnoli())
	binary.LittleEndian.PutUint32(value[len(body):], identity)
	binary.LittleEndian.PutUint32(value[len(body)+4:], crc32.Checksum(value[:len(body)+4], castagnoli()))
}

// Unsealed says what is wrong with a value that was read at a key; nil: it is
// whole, and one that was sealed for this key.
func Unsealed(value, key []byte) error {
	if len(value) < SealBytes {
		return fmt.Errorf("a value of %d bytes holds no checksum, which takes %d", len(value), SealBytes)
	}
	body := value[:len(value)-SealBytes]
	identity := binary.LittleEndian.Uint32(value[len(body):])
	told := binary.LittleEndian.Uint32(value[len(body)+4:])
	if sum := crc32.Checksum(value[:len(body)+4], castagnoli()); sum != told {
		return fmt.Errorf("a value of %d bytes has the checksum %08x and says %08x", len(value), sum, told)
	}
	if identity != crc32.Checksum(key, castagnoli()) {
		return errors.New("the value is whole, and that of another key")
	}
	return nil
}

// castagnoli is the library's own table, which it makes once.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

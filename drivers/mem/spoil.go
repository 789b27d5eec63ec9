package mem

import (
	"bytes"

	"github.com/kvscen/kvscen/drivers"
)

// spoil makes the answer to a get a wrong one, as the script has it: the value
// with one byte changed, or that of another key. Other answers stay as they are.
func (m *member) spoil(spec *drivers.OpSpec, a *attempt) {
	op := a.op
	if spec.Kind != drivers.Get || !op.Found {
		return
	}
	wrong := bytes.Clone(op.Read) // what is stored is shared, and stays right
	switch {
	case a.fate.misread:
		if wrong = m.store.another(op.Key); wrong == nil {
			return
		}
	case len(wrong) > 0:
		wrong[len(wrong)/2] ^= 1
	}
	op.Read, op.Bytes = wrong, int64(len(op.Key)+len(wrong))
}

// another is the value of the next key in order, or of the first one.
func (t *table) another(key []byte) (value []byte) {
	t.lockAll()
	defer t.unlockAll()
	for _, from := range []string{string(key) + "\x00", ""} {
		t.walk(from, "", func(next string, e *entry) bool {
			if next != string(key) {
				value = e.value
			}
			return false
		})
		if value != nil {
			break
		}
	}
	return value
}

// another has the same value: each key has it.
func (b null) another([]byte) []byte { return b.value }

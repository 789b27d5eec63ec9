package mem

import (
	"bytes"

	"github.com/kvscen/kvscen/drivers"
)

// spoil makes the answer to a get or a scan a wrong one, as the script has it: a
// value with one bit changed, or that of another key. Other answers stay as they
// are, and a scan whose entries nobody looks at.
func (m *member) spoil(spec *drivers.OpSpec, a *attempt) {
	op := a.op
	switch {
	case spec.Kind == drivers.Get && op.Found:
		m.spoilGet(op, a)
	case len(op.Entries) > 0 && a.fate.corrupt:
		e := &op.Entries[len(op.Entries)/2]
		e.Value = damaged(e.Value)
	case len(op.Entries) > 1:
		first, second := &op.Entries[0], &op.Entries[1]
		first.Value, second.Value = second.Value, first.Value
	}
}

// damaged is a copy, for what is stored is shared and stays right.
func damaged(value []byte) []byte {
	wrong := bytes.Clone(value)
	if len(wrong) > 0 {
		wrong[len(wrong)/2] ^= 1
	}
	return wrong
}

func (m *member) spoilGet(op *drivers.Op, a *attempt) {
	wrong := damaged(op.Read)
	if a.fate.misread {
		if wrong = m.store.another(op.Key); wrong == nil {
			return
		}
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

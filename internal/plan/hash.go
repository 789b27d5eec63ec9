package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"reflect"
)

// Hash identifies what the plan does: SHA-256, in hex, of its JSON without
// positions, sources and name. It is the same on every machine and wherever the
// scenario's file lies.
func (p *Plan) Hash() string {
	bare := withoutPositions(reflect.ValueOf(*p)).Interface().(Plan)
	bare.Name, bare.Sources = "", nil
	b, err := json.Marshal(bare)
	if err != nil {
		// Options hold plain scalars and all other fields can be marshalled; a
		// number that is not finite is refused by Problems.
		b = []byte(err.Error())
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// withoutPositions copies v with every Pos in it zeroed.
func withoutPositions(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[Pos]() {
			return out
		}
		for i := range v.NumField() {
			out.Field(i).Set(withoutPositions(v.Field(i)))
		}
	case reflect.Slice:
		if v.Len() == 0 {
			return out // nil and empty mean the same
		}
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(withoutPositions(v.Index(i)))
		}
	case reflect.Pointer:
		if v.IsNil() {
			return out
		}
		out.Set(reflect.New(v.Type().Elem()))
		out.Elem().Set(withoutPositions(v.Elem()))
	default:
		out.Set(v) // scalars, and maps of scalars, which hold no position
	}
	return out
}

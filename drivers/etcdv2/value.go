package etcdv2

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"
)

// coded begins a value that is stored in base64. Replies are JSON, in which only
// UTF-8 text comes back as it was written; text is stored as it is.
const coded = "="

// encode is the text that a value is stored as.
func encode(value []byte) string {
	if utf8.Valid(value) && (len(value) == 0 || value[0] != coded[0]) {
		return string(value)
	}
	text := make([]byte, 1, 1+base64.RawURLEncoding.EncodedLen(len(value)))
	text[0] = coded[0]
	return string(base64.RawURLEncoding.AppendEncode(text, value))
}

// decode is the value that is stored as text.
func decode(text string) ([]byte, error) {
	code, ok := strings.CutPrefix(text, coded)
	if !ok {
		return []byte(text), nil
	}
	value, err := base64.RawURLEncoding.DecodeString(code)
	if err != nil {
		return nil, fmt.Errorf("a value that kvscen has not written: %w", err)
	}
	return value, nil
}

// valueLen is the length of the value that is stored as text.
func valueLen(text string) int {
	if code, ok := strings.CutPrefix(text, coded); ok {
		return base64.RawURLEncoding.DecodedLen(len(code))
	}
	return len(text)
}

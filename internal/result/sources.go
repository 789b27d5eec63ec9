package result

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"unicode/utf8"
)

// SourceFolder is where the files of the scenario lie in a result folder.
const SourceFolder = "scenario"

// SourceText is a file of the scenario.
type SourceText struct{ Name, Text string }

// maxSource is how many bytes of a file are read: a scenario is no larger.
const maxSource = 1 << 20

// Sources reads the files of the scenario that are kept in a result folder, in
// the order of their names. A result without any has none.
func Sources(dir string) ([]SourceText, error) {
	root := filepath.Join(dir, SourceFolder)
	var list []SourceText
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if len(text) > maxSource || !utf8.Valid(text) {
			return fmt.Errorf("%s is no scenario: it has %d bytes, or is no text", path, len(text))
		}
		list = append(list, SourceText{Name: filepath.ToSlash(name), Text: string(text)})
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading the scenario of a result: %w", err)
	}
	return list, nil
}

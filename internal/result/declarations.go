package result

import (
	"embed"
	"io/fs"
)

// The declarations of what stands in run.json; their comments are its reference.
//
//go:embed run.go phase.go ranges.go reports.go hist.go number.go
var declarations embed.FS

// Declarations gives the Go files that declare the structs of run.json, from which
// their reference page is made.
func Declarations() fs.FS { return declarations }

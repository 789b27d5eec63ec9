package builtins

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/result"
)

// Reports calls the functions of reports with the run. One that fails says why
// in the place of its tables.
func (f *Finished) Reports(reports []Function) []result.Report {
	var out []result.Report
	for _, r := range reports {
		made := result.Report{Name: r.Name, Where: r.Pos.String(), Line: f.SourceLine(r.Pos)}
		answer, err := f.Call(r.Fn, f.recorder().root())
		if err == nil {
			made.Parts, err = reportParts(answer)
		}
		if err != nil {
			made.Error = err.Error()
		}
		out = append(out, made)
	}
	return out
}

// reportParts understands what a report returned.
func reportParts(answer starlark.Value) ([]result.ReportPart, error) {
	list, isList := elements(answer)
	if !isList {
		list = []starlark.Value{answer}
	}
	var parts []result.ReportPart
	for i, v := range list {
		switch v := v.(type) {
		case *Table:
			parts = append(parts, result.ReportPart{Table: &v.made})
		case starlark.String:
			parts = append(parts, result.ReportPart{Text: string(v)})
		default:
			where := ""
			if isList {
				where = fmt.Sprintf(", element %d of a list", i)
			}
			return nil, fmt.Errorf("the function returned %s%s: it must return a table(...), a text, or a list of them", describe(v), where)
		}
	}
	if len(parts) == 0 {
		return nil, errors.New("the function returned an empty list: it must return a table(...), a text, or a list of them")
	}
	return parts, nil
}

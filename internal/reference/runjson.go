package reference

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"reflect"
	"slices"
	"strings"
)

// structDoc is one struct of the source.
type structDoc struct {
	name, doc string
	fields    []fieldDoc
}

// fieldDoc is one field as it stands in JSON.
type fieldDoc struct {
	name     string
	optional bool
	kind     ast.Expr
	doc      string
}

// parseStructs reads every exported struct with JSON tags, file by file.
func parseStructs(source fs.FS) ([]structDoc, error) {
	paths, err := fs.Glob(source, "*.go")
	if err != nil {
		return nil, fmt.Errorf("listing the source of run.json: %w", err)
	}
	slices.Reverse(paths) // run.go and phase.go before the small ones
	var structs []structDoc
	for _, path := range paths {
		text, err := fs.ReadFile(source, path)
		if err != nil {
			return nil, fmt.Errorf("reading the source of run.json: %w", err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ParseComments)
		if err != nil {
			return nil, fmt.Errorf("reading the source of run.json: %w", err)
		}
		for _, d := range file.Decls {
			structs = append(structs, structsOf(d)...)
		}
	}
	return structs, nil
}

func structsOf(d ast.Decl) []structDoc {
	g, ok := d.(*ast.GenDecl)
	if !ok || g.Tok != token.TYPE {
		return nil
	}
	var structs []structDoc
	for _, spec := range g.Specs {
		t := spec.(*ast.TypeSpec)
		s, ok := t.Type.(*ast.StructType)
		if !ok || !t.Name.IsExported() {
			continue
		}
		if fields := fieldsOf(s); len(fields) > 0 {
			structs = append(structs, structDoc{t.Name.Name, g.Doc.Text(), fields})
		}
	}
	return structs
}

// fieldsOf lists the fields that have a JSON name.
func fieldsOf(s *ast.StructType) []fieldDoc {
	var fields []fieldDoc
	for _, f := range s.Fields.List {
		if f.Tag == nil {
			continue
		}
		tag := reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json")
		name, options, _ := strings.Cut(tag, ",")
		if name == "" || name == "-" {
			continue
		}
		doc := f.Comment.Text()
		if above := f.Doc.Text(); above != "" {
			doc = above + " " + doc
		}
		fields = append(fields, fieldDoc{name, strings.Contains(options, "omitempty"), f.Type, doc})
	}
	return fields
}

func (p *page) structTable(s structDoc, known map[string]bool) {
	p.printf("\n### %s\n\n%s", s.name, s.doc)
	p.table("Field", "Type", "Meaning")
	words := meanings()
	for _, f := range s.fields {
		name := code(f.name)
		if f.optional {
			name += "?"
		}
		p.row(name, typeInWords(f.kind, known), cmp.Or(f.doc, words[s.name+"."+f.name]))
	}
}

// typeInWords says what stands in JSON for a Go type.
func typeInWords(e ast.Expr, known map[string]bool) string {
	switch t := e.(type) {
	case *ast.StarExpr:
		return typeInWords(t.X, known)
	case *ast.ArrayType:
		if t.Len != nil {
			return "pair of " + typeInWords(t.Elt, known)
		}
		return "array of " + typeInWords(t.Elt, known)
	case *ast.MapType:
		return "object of " + typeInWords(t.Value, known)
	case *ast.SelectorExpr:
		return map[string]string{"Time": "time", "Duration": "nanoseconds"}[t.Sel.Name]
	case *ast.Ident:
		return named(t.Name, known)
	}
	return "value"
}

func named(name string, known map[string]bool) string {
	switch {
	case known[name]:
		return "[" + name + "](#" + strings.ToLower(name) + ")"
	case name == "Number":
		return "number"
	case name == "Values":
		return "column"
	case strings.HasPrefix(name, "float"):
		return "float"
	case strings.Contains(name, "int"):
		return "integer"
	}
	return name
}

package result

// Report is what a function of the scenario made of the result.
type Report struct {
	Name  string       `json:"name"`
	Parts []ReportPart `json:"parts,omitempty"`
	Error string       `json:"error,omitempty"` // why there are no parts; of several lines where the script is shown
	Where string       `json:"where"`           // file:line:col
	Line  string       `json:"line,omitempty"`  // the source line
}

// ReportPart is a table, or a text between tables.
type ReportPart struct {
	Text  string `json:"text,omitempty"`
	Table *Table `json:"table,omitempty"`
}

// Table has as many cells in each row as it has columns.
type Table struct {
	Title   string   `json:"title,omitempty"`
	Columns []Column `json:"columns"`
	Rows    [][]Cell `json:"rows"`
}

// Column is the head of a column.
type Column struct {
	Name  string `json:"name"`
	Unit  string `json:"unit,omitempty"`  // of its figures
	Words bool   `json:"words,omitempty"` // it holds texts alone
}

// Cell is a figure or a text as it is printed. What is printed of a figure is
// rounded; Value is not.
type Cell struct {
	Text  string  `json:"text"`
	Value *Number `json:"value,omitempty"` // in the column's unit; a text has none
}

// Failed reports whether the function gave nothing to print.
func (r *Report) Failed() bool { return r.Error != "" }

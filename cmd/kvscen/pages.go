package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/kvscen/kvscen/internal/result"
	"github.com/kvscen/kvscen/internal/sheets"
)

// pageName is the page with charts in a result folder.
const pageName = "report.html"

// writePages puts what people look at into the result folder.
func writePages(run *result.Run, out string, plots bool) error {
	f, err := os.Create(filepath.Join(out, pageName))
	if err != nil {
		return fmt.Errorf("writing the page of the report: %w", err)
	}
	b := bufio.NewWriter(f)
	if err := errors.Join(htmlPage(b, run, []*result.Run{{Dir: out}}), b.Flush(), f.Close()); err != nil {
		return fmt.Errorf("writing the page of the report: %w", err)
	}
	if _, err := sheets.Write(filepath.Join(out, csvFolder), run); err != nil {
		return err
	}
	if !plots {
		return nil
	}
	return plotAll(io.Discard, run, filepath.Join(out, plotFolder), []string{"svg", "png"})
}

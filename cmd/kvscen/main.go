// Command kvscen measures distributed key-value stores by scenarios written in
// Starlark. This package turns flags into calls, one file a subcommand; the
// work is done in the packages that it calls.
package main

import (
	"context"
	"os"
)

func main() {
	os.Exit(execute(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}

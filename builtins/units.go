package builtins

import (
	"time"

	"go.starlark.net/starlark"
)

// units are the names of sizes, counts and times. M is a million; MB and MiB
// are bytes.
func units() starlark.StringDict {
	return starlark.StringDict{
		"K": starlark.MakeInt(1e3), "M": starlark.MakeInt(1e6), "G": starlark.MakeInt(1e9),
		"KB": starlark.MakeInt(1e3), "MB": starlark.MakeInt(1e6), "GB": starlark.MakeInt(1e9),
		"KiB": starlark.MakeInt(1 << 10), "MiB": starlark.MakeInt(1 << 20), "GiB": starlark.MakeInt(1 << 30),
		"us": Duration(time.Microsecond), "ms": Duration(time.Millisecond),
		"second": Duration(time.Second), "minute": Duration(time.Minute), "hour": Duration(time.Hour),
	}
}

// Package lang is a Starlark host. It finds, loads, resolves, evaluates and
// calls scripts, and turns whatever goes wrong in one into diagnostics: a
// position, a message, the source line with a caret under the argument meant,
// and the chain of calls.
//
// # Dialect
//
// No while, no recursion, no if or for outside a function, no second assignment
// to a global; set is available.
//
// # What a script can reach
//
// No clock, environment, network or randomness. Other files come through load
// alone: "@std//NAME.star" from Config.Std, anything else relative to the
// loading file and, with symbolic links resolved, inside Config.Root.
//
// # What a script can use up
//
// Each evaluation has a limit of steps, of wall-clock time and of memory.
// Steps and time are exact to one operation. Memory is bounded in two ways: a
// product (x * n) is measured before it is made and refused above maxProduct
// bytes, and the growth of the process's heap since the start is read every
// watchTick; above Config.MaxMemory the script is cancelled. Any other operation
// at most doubles what there is or works for so long that the watch sees it, so
// that a script is ended at the latest near twice Config.MaxMemory. A single
// operation that does not end (str of a list that holds itself many times over)
// can't be interrupted: after a moment of grace the evaluation is given up, its
// goroutine is left behind, and the File can't be used any more.
//
// How deeply values are nested is bounded by steps and memory alone. The
// interpreter compares values down to ten levels, but goes down one call a level
// without end where % or format prints a value, or where a tuple is a key: from
// some million levels on this fills the stack, which ends the process. Predeclared
// builtins that print or encode values should refuse deep ones themselves.
package lang

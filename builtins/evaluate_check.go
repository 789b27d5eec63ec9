package builtins

import (
	"strings"

	"go.starlark.net/starlark"

	"github.com/kvscen/kvscen/internal/result"
)

// judge calls a function with the result. Whatever it says, a figure that it
// looked at and that is not known makes the verdict unknown.
func (f *Finished) judge(c Function) result.Verdict {
	rec := f.recorder()
	answer, err := f.Call(c.Fn, rec.root())
	v := result.Verdict{Kind: c.Kind, Name: c.Name, Status: result.Pass, Reads: rec.reads}
	switch {
	case len(rec.unknown) > 0:
		v.Status, v.Text = result.Unknown, strings.Join(rec.unknown, "; ")
	case err != nil:
		v.Status, v.Text = result.Fail, "the function failed: "+err.Error()
	default:
		v.Status, v.Text = answerOf(answer)
	}
	for i := range v.Reads {
		v.Reads[i].OK = v.Status == result.Pass
	}
	return v
}

// answerOf understands what a check returned. None is no answer: a forgotten
// return must not pass.
func answerOf(answer starlark.Value) (status, text string) {
	switch answer := answer.(type) {
	case starlark.Bool:
		if answer {
			return result.Pass, ""
		}
		return result.Fail, ""
	case starlark.String:
		if answer == "" {
			return result.Pass, ""
		}
		return result.Fail, string(answer)
	}
	return result.Unknown, "the function returned " + answer.Type() + ": it must return True, False, or a text that says what is wrong"
}

package lang

import (
	"errors"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// blamer is implemented by errors of builtins that know which argument is to
// blame: by name, or by index where it was given by position (from 0; -1: by
// name).
type blamer interface {
	error
	BlamesArg() (name string, index int)
}

const cancelledPrefix = "Starlark computation cancelled: "

// evalError turns an error of a running script into diagnostics. The blamed
// place is in the innermost file that is not of the library.
func (h *host) evalError(ee *starlark.EvalError, entry *source) *Diagnostics {
	ee = innermost(ee)
	frames := h.frames(ee.CallStack)
	if ds, ok := errors.AsType[*Diagnostics](ee.Unwrap()); ok {
		return h.loadedFrom(*ds, frames)
	}
	if len(frames) == 0 {
		return &Diagnostics{entry.whole(strings.TrimPrefix(ee.Msg, cancelledPrefix))}
	}
	f := failure{host: h, err: ee, msg: strings.TrimPrefix(ee.Msg, cancelledPrefix), frames: frames, depth: blamed(frames)}
	sp := f.place()
	d := frames[f.depth].src.at(sp, f.msg)
	d.Chain = chain(frames, f.depth)
	return &Diagnostics{d}
}

// innermost finds the error that caused the others. Each file loaded and each
// call from Go adds one around it.
func innermost(ee *starlark.EvalError) *starlark.EvalError {
	for {
		inner, ok := errors.AsType[*starlark.EvalError](ee.Unwrap())
		if !ok {
			return ee
		}
		ee = inner
	}
}

// frame is a call in a file that we have the text of.
type frame struct {
	src  *source
	name string
	pos  syntax.Position
}

// frames lists the calls, innermost first, without those of Go code.
func (h *host) frames(stack starlark.CallStack) []frame {
	var out []frame
	for i := range stack {
		call := stack.At(i)
		if s := h.byShown[call.Pos.Filename()]; s != nil {
			out = append(out, frame{s, call.Name, call.Pos})
		}
	}
	return out
}

// blamed is the index of the innermost frame outside the library, or the
// outermost frame where there is none.
func blamed(frames []frame) int {
	for i, f := range frames {
		if !f.src.std {
			return i
		}
	}
	return len(frames) - 1
}

// loadedFrom adds the load statements to what is wrong with a loaded file.
func (h *host) loadedFrom(ds Diagnostics, frames []frame) *Diagnostics {
	out := make(Diagnostics, len(ds))
	for i, d := range ds {
		d.Chain = append(d.Chain[:len(d.Chain):len(d.Chain)], chain(frames, -1)...)
		out[i] = d
	}
	return &out
}

// chain lists the frames but the blamed one.
func chain(frames []frame, blamed int) []Frame {
	var out []Frame
	for i, f := range frames {
		if i == blamed {
			continue
		}
		name := f.name
		if name == "<toplevel>" {
			name = "top level"
		}
		out = append(out, Frame{
			Func: name, File: f.src.shown, Line: int(f.pos.Line), Col: int(f.pos.Col), Inner: i < blamed,
		})
	}
	return out
}

// failure is an error of a running script while it is being explained.
type failure struct {
	host   *host
	err    *starlark.EvalError
	msg    string // what will be printed
	frames []frame
	depth  int // of the frame to blame
}

// place finds what to mark in the blamed file, and rewords the message where
// there is a friendlier one.
func (f *failure) place() span {
	for _, answer := range runtimeAnswers {
		if m := answer.saying.FindStringSubmatch(f.err.Msg); m != nil {
			if sp, ok := answer.explain(f, m); ok {
				return sp
			}
		}
	}
	fr := f.frames[f.depth]
	line, col := int(fr.pos.Line), int(fr.pos.Col)
	if call := callAt(fr.src.syntaxTree(), line, col); call != nil {
		return f.callSpan(call)
	}
	return operatorSpan(fr.src, line, col)
}

// callSpan marks the argument that the error blames, or the call's name.
func (f *failure) callSpan(call *syntax.CallExpr) span {
	name, index := "", -1
	b, knows := errors.AsType[blamer](f.err.Unwrap())
	if knows {
		name, index = b.BlamesArg()
	}
	switch _, value := argument(call, name, -1); {
	case f.depth == 0 && knows:
		return argumentSpan(call, name, index, f.msg)
	case f.depth == 0:
		return f.onlyArgument(call)
	case value != nil: // the library has a parameter of the same name
		return spanOf(value)
	}
	if sp, ok := f.throughLibrary(call); ok {
		return sp
	}
	return calleeSpan(call)
}

// onlyArgument marks the argument of a call that has but one, where the error
// comes from the builtin itself.
func (f *failure) onlyArgument(call *syntax.CallExpr) span {
	top := f.err.CallStack.At(0)
	fromBuiltin := f.host.byShown[top.Pos.Filename()] == nil
	if fromBuiltin && len(call.Args) == 1 {
		return spanOf(call.Args[0])
	}
	return calleeSpan(call)
}

// operatorSpan marks the word or operator at a position.
func operatorSpan(s *source, line, col int) span {
	t := word(s.text, s.offset(line, col))
	return span{line, col, max(1, s.spanAt(t).width)}
}

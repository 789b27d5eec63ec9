package builtins

import (
	"fmt"
	"math/big"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// literal gives the value of an expression that is a literal: numbers, texts,
// True, False, None, lists, tuples and dicts of these, -N and N * UNIT.
func literal(expr syntax.Expr) (starlark.Value, error) {
	switch e := expr.(type) {
	case *syntax.Literal:
		return literalToken(e)
	case *syntax.ParenExpr:
		return literal(e.X)
	case *syntax.Ident:
		return literalName(e.Name)
	case *syntax.UnaryExpr:
		if e.Op != syntax.MINUS {
			break
		}
		x, err := literal(e.X)
		if err != nil {
			return nil, err
		}
		return starlark.Unary(syntax.MINUS, x)
	case *syntax.BinaryExpr:
		return literalProduct(e)
	case *syntax.ListExpr:
		elems, err := literals(e.List)
		return starlark.NewList(elems), err
	case *syntax.TupleExpr:
		elems, err := literals(e.List)
		return starlark.Tuple(elems), err
	case *syntax.DictExpr:
		return literalDict(e)
	}
	return nil, fmt.Errorf("want a literal value, without calls, names or reckoning")
}

func literalToken(e *syntax.Literal) (starlark.Value, error) {
	switch v := e.Value.(type) {
	case string:
		return starlark.String(v), nil
	case int64:
		return starlark.MakeInt64(v), nil
	case float64:
		return starlark.Float(v), nil
	case *big.Int:
		return starlark.MakeBigInt(v), nil
	}
	return nil, fmt.Errorf("can't take %s", e.Raw)
}

func literalName(name string) (starlark.Value, error) {
	if v, ok := units()[name]; ok {
		return v, nil
	}
	switch name {
	case "True":
		return starlark.True, nil
	case "False":
		return starlark.False, nil
	case "None":
		return starlark.None, nil
	}
	return nil, fmt.Errorf("%s is no literal; texts stand in quotes", name)
}

// literalProduct multiplies a number by a unit.
func literalProduct(e *syntax.BinaryExpr) (starlark.Value, error) {
	unit, ok := e.Y.(*syntax.Ident)
	if e.Op != syntax.STAR || !ok {
		return nil, fmt.Errorf("want a literal value; only units are multiplied, as in 5 * second")
	}
	x, err := literal(e.X)
	if err != nil {
		return nil, err
	}
	if _, err := realNumber(x); err != nil {
		return nil, err
	}
	y, err := literalName(unit.Name)
	if err != nil {
		return nil, err
	}
	return starlark.Binary(syntax.STAR, x, y)
}

func literals(exprs []syntax.Expr) ([]starlark.Value, error) {
	out := make([]starlark.Value, 0, len(exprs))
	for _, e := range exprs {
		v, err := literal(e)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

func literalDict(e *syntax.DictExpr) (starlark.Value, error) {
	d := starlark.NewDict(len(e.List))
	for _, item := range e.List {
		entry := item.(*syntax.DictEntry)
		k, err := literal(entry.Key)
		if err != nil {
			return nil, err
		}
		v, err := literal(entry.Value)
		if err != nil {
			return nil, err
		}
		if err := d.SetKey(k, v); err != nil {
			return nil, err
		}
	}
	return d, nil
}

package lang

// habit recognises one thing that people write because other languages have
// it. It returns the token to mark and the answer; an empty answer is no match.
type habit struct {
	name   string
	detect func(v view) (token, string)
}

// habits, sorted by name but for the last, which are the most general.
var habits = []habit{
	{"annotation", annotation},
	{"arrow", arrow},
	{"assert", assert},
	{"assignment as condition", conditionAssign},
	{"augmented by one", plusPlus},
	{"chained comparison", chained},
	{"decorator", decorator},
	{"else if", elseIf},
	{"f-string", fString},
	{"generator", generator},
	{"implicit concatenation", concatenation},
	{"logic by signs", logicSigns},
	{"power", power},
	{"print statement", printStatement},
	{"question mark", questionMark},
	{"reserved word", reservedWord},
	{"set literal", setLiteral},
	{"starred element", starred},
	{"underscore in number", underscoreNumber},
	{"unit without *", unitNumber},
	{"walrus", walrus},

	{"indentation", indentation},
	{"string not closed", openString},
	{"bracket not closed", openBracket},
	{"bracket not opened", strayBracket},
	{"missing colon", missingColon},
	{"missing comma", missingComma},
}

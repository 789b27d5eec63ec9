package plan

// Tokens stand in a plan for what only the machine that runs it knows. Recipes
// make them by formatting symbolic references; set-up replaces them, and an
// unknown token is an error. The forms are
//
//	${kvscen:NODE.ip}         address of a node, for members and clients
//	${kvscen:NODE.dir}        the node's data folder, absolute
//	${kvscen:NODE.port.NAME}  a free port of the node, the same at each mention
//	${kvscen:self}            path of the kvscen binary on the node's machine
//	${kvscen:find:NAME}       path of a program on the node's machine
//	${kvscen:glob:PATTERN}    files that match, joined by colons
const (
	TokenOpen  = "${kvscen:"
	TokenClose = "}"
)

// Token formats a reference.
func Token(ref string) string { return TokenOpen + ref + TokenClose }

// NamePattern is what labels, phase names and node names match; tags of
// HdrHistogram logs allow no more.
const NamePattern = `^[A-Za-z0-9_.-]+$`

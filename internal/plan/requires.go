package plan

// Requires is what a recipe says of the members that it starts: what they need
// on their machine, and how to get it.
type Requires struct {
	Driver    string         // of its clusters; empty: named like the recipe
	Options   map[string]any // of the driver that it always sets
	Embedded  bool           // kvscen can serve a member itself: the programs are for others
	Module    string         // Go module whose version that of what is built in is; empty: none is
	Programs  []string       // to be found by their names, all of them
	Files     []string       // patterns, each of which must match a file
	Arguments []string       // of the recipe, by which a user must name a program of his own
	Version   []string       // command that prints the version; empty: it stands in the name of a file
	Debian    string         // how to install all that on Debian
	MacOS     string         // and on macOS
	Elsewhere string         // and on other systems: a page of the project's own
}

package result

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Machine is a machine other than the client's that members ran on. What can't be
// read is empty.
type Machine struct {
	Name   string `json:"name"`             // as the scenario, or the file of hosts, has it
	OS     string `json:"os"`               // GOOS/GOARCH
	System string `json:"system,omitempty"` // "Debian GNU/Linux 12 (bookworm)"
	Kernel string `json:"kernel"`
	CPU    string `json:"cpu"` // model name
	Cores  int    `json:"cores"`
	Memory int64  `json:"memory"` // bytes
}

// String tells one machine from another that was set up otherwise.
func (m Machine) String() string {
	return strings.TrimSpace(m.System + " " + fmt.Sprintf("%s, kernel %s, %s, %d cores, %d bytes", m.OS, m.Kernel, m.CPU, m.Cores, m.Memory))
}

// Machines lists the machines of all clusters, each once, by name.
func (r *Run) Machines() []Machine {
	var list []Machine
	for i := range r.Clusters {
		list = append(list, r.Clusters[i].Machines...)
	}
	slices.SortFunc(list, func(a, b Machine) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.String(), b.String()))
	})
	return slices.Compact(list)
}

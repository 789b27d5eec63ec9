package cluster

import (
	"fmt"

	"github.com/kvscen/kvscen/internal/host"
)

// spacious tells what is left of a disk.
type spacious interface {
	Space(dir string) (int64, error)
}

var (
	_ spacious = host.Local{}
	_ spacious = (*host.Remote)(nil)
)

// Space is the number of bytes that are left on the disk of a member's data.
func (c *Cluster) Space(member string) (int64, error) {
	for _, m := range c.members {
		if s, ok := c.places[member].machine.(spacious); ok && m.Name == member && m.Dir != "" {
			return s.Space(m.Dir)
		}
	}
	return 0, fmt.Errorf("no data folder of a member %s is known", member)
}

package engine

import (
	"errors"
	"fmt"

	"github.com/kvscen/kvscen/internal/cluster"
)

// littleSpace is what is told of a disk when a member has died: logs are allocated
// in files of 64 MiB.
const littleSpace = 128 << 20

// outOfSpace adds to a death that there is little space left on the disk, if that
// is so. The member's own log can't say it where it is on that disk, too.
func (u *up) outOfSpace(death cluster.Death) cluster.Death {
	left, err := u.cluster.Space(death.Member)
	if err != nil || left >= littleSpace {
		return death
	}
	where := "its data"
	for _, m := range u.members {
		if m.Name == death.Member && m.Remote != nil {
			where = fmt.Sprintf("its data on %s", m.Remote.Name())
		}
	}
	how := death.Err
	if how == nil {
		how = errors.New("exited with status 0")
	}
	death.Err = fmt.Errorf("%w, with only %.1f MB left on the disk of %s", how, float64(max(left, 0))/1e6, where)
	return death
}

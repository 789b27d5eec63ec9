package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/kvscen/kvscen/drivers"
	"github.com/kvscen/kvscen/internal/cluster"
	"github.com/kvscen/kvscen/internal/doctor"
	"github.com/kvscen/kvscen/internal/plan"
	"github.com/kvscen/kvscen/internal/scenario"
)

// startWithin is the time in which a member is started, and stopped.
const startWithin = 2 * time.Minute

// specs are those of the drivers measured.
func specs() []drivers.Spec {
	var list []drivers.Spec
	seen := map[string]bool{}
	for _, st := range stores() {
		if spec := st.driver.Spec(); !seen[spec.Name] {
			seen[spec.Name] = true
			list = append(list, spec)
		}
	}
	return list
}

// missing says what is not installed of a store's members, and how to get it.
func (st store) missing() (string, error) {
	if st.isHere() {
		return "", nil
	}
	recipes, err := scenario.Recipes(context.Background(), scenario.Options{Specs: specs()})
	if err != nil {
		return "", err
	}
	for _, r := range recipes {
		if r.Name != st.name {
			continue
		}
		known := doctor.Store{Name: r.Name, Requires: r.Requires}
		if p := known.Look(doctor.This(), false); !p.Here {
			return strings.Join(append(p.Missing, doctor.Install(&r.Requires)...), "; "), nil
		}
		return "", nil
	}
	return "", fmt.Errorf("there is no recipe of %s", st.name)
}

// start starts one member by the store's recipe, or opens the store here.
func (st store) start(s *sheet, dir string) (endpoint string, stop func() error, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), startWithin)
	defer cancel()
	if opener, ok := st.driver.(drivers.Opener); ok {
		return opener.Open(ctx, dir, st.options)
	}
	made, err := st.planned(ctx, dir)
	if err != nil {
		return "", nil, err
	}
	bin, err := s.binary()
	if err != nil {
		return "", nil, err
	}
	c, err := cluster.Start(ctx, made, cluster.Config{Self: bin, Dir: dir, LogDir: dir})
	if err != nil {
		return "", nil, err
	}
	stop = func() error {
		ctx, cancel := context.WithTimeout(context.Background(), startWithin)
		defer cancel()
		return c.Stop(ctx)
	}
	endpoint = c.Members()[0].Endpoint
	if err := st.await(ctx, endpoint); err != nil {
		return "", nil, errors.Join(err, stop())
	}
	return endpoint, stop, nil
}

// planned is the cluster that the recipe makes.
func (st store) planned(ctx context.Context, dir string) (*plan.Cluster, error) {
	path := filepath.Join(dir, "member.star")
	text := fmt.Sprintf("def main():\n    return scenario([%s], [phase(\"read\", get(keys(1).one()), requests = 1, clients = 1)])\n", st.recipe)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return nil, err
	}
	s, err := scenario.Open(ctx, path, scenario.Options{Specs: specs()})
	if err != nil {
		return nil, fmt.Errorf("the recipe of %s: %w", st.name, err)
	}
	return &s.Plan.Runs[0].Cluster, nil
}

// await waits until a put is carried out.
func (st store) await(ctx context.Context, endpoint string) error {
	for {
		err := st.write(ctx, endpoint)
		if err == nil {
			return nil
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("%s takes no put: %w", st.name, err)
		}
	}
}

func (st store) write(ctx context.Context, endpoint string) error {
	c, err := st.driver.Dial(ctx, st.target(endpoint))
	if err != nil {
		return err
	}
	defer c.Close()
	client, err := c.Client([]drivers.OpSpec{{Kind: drivers.Put}})
	if err != nil {
		return err
	}
	return client.Do(ctx, &drivers.Op{Key: []byte("ready"), Value: []byte("yes"), Deadline: time.Now().Add(timeout)})
}

func (st store) target(endpoint string) drivers.Target {
	return drivers.Target{Endpoint: endpoint, Timeout: startWithin, Options: st.options}
}

package project

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"

	"fanous/build/tool/system"
)

// Run does the main job on the sample collection: it indexes it, answers the showcase's queries on the terminal, and
// opens the window on it where there is a display.
func (p *Project) Run(ctx context.Context) error {
	queries, err := p.showcase()
	if err != nil {
		return err
	}
	if _, err := p.build(ctx); err != nil {
		return err
	}
	// An index of its own, so that the person's own is not touched.
	data := "FANOUS_DATA=" + p.cache.Path(p.mine("run-data"))
	fanous := func(args ...string) error {
		fmt.Printf("\n$ build/bin/fanous %s\n", strings.Join(args, " "))
		c := p.command([]string{data}, append([]string{p.program("fanous")}, args...)...)
		return c.Run(ctx)
	}
	if err := fanous("index", p.path("build", "sample", "docs")); err != nil {
		return err
	}
	for _, query := range queries {
		if err := fanous("search", query); err != nil {
			return err
		}
	}
	if !system.Display() {
		fmt.Printf("\nThere is no display here. With one, the window opens on this collection: %s\n", p.program("fanous-desktop"))
		return nil
	}
	hint := "the queries above were answered without it; where the display cannot be used, run this without DISPLAY and WAYLAND_DISPLAY"
	return p.log.Do("open the window on the same collection; close it to end", hint, func() error {
		return p.command([]string{data}, p.program("fanous-desktop")).Run(ctx)
	})
}

// showcase is the queries that show what Fanous does, one a line of build/sample/showcase.txt.
func (p *Project) showcase() ([]string, error) {
	file, err := os.Open(p.path("build", "sample", "showcase.txt"))
	if err != nil {
		return nil, fmt.Errorf("the sample collection's queries: %w", err)
	}
	defer file.Close()
	var queries []string
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if line := strings.TrimSpace(lines.Text()); line != "" && !strings.HasPrefix(line, "#") {
			queries = append(queries, line)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(queries) == 0 {
		return nil, fmt.Errorf("%s holds no query", file.Name())
	}
	return queries, nil
}

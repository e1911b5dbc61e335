// Fanous searches collections of local documents: this is the desktop window.
package main

import (
	"embed"
	"fmt"
	"io/fs"
	"os"

	"fanous/app"
	"fanous/backend"
)

//go:embed all:frontend/dist
var frontend embed.FS

//go:embed build/icons/fanous.png
var icon []byte

func main() {
	if backend.Child() {
		return
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "fanous:", err)
		os.Exit(1)
	}
}

func run() error {
	dist, err := fs.Sub(frontend, "frontend/dist")
	if err != nil {
		return err
	}
	return app.Run(dist, icon)
}

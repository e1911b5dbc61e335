package app

import (
	"net/url"
	"os/exec"
	"path/filepath"

	"github.com/godbus/dbus/v5"
)

// openers starts the desktop's own programs on files, by their absolute paths.
type openers struct{}

func (openers) OpenFile(path string) error { return launch(exec.Command("xdg-open", path)) }

// ShowInFolder asks the file manager to select the file, and opens the folder where none answers.
func (openers) ShowInFolder(path string) error {
	if bus, err := dbus.ConnectSessionBus(); err == nil {
		defer bus.Close()
		manager := bus.Object("org.freedesktop.FileManager1", "/org/freedesktop/FileManager1")
		uri := (&url.URL{Scheme: "file", Path: path}).String()
		if manager.Call("org.freedesktop.FileManager1.ShowItems", 0, []string{uri}, "").Err == nil {
			return nil
		}
	}
	return launch(exec.Command("xdg-open", filepath.Dir(path)))
}

package tree

import (
	"path/filepath"

	"github.com/fsnotify/fsnotify"
)

// notify is the operating system's Source.
type notify struct {
	*fsnotify.Watcher
	changes chan struct{}
}

func openNotify() (Source, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	n := &notify{w, make(chan struct{}, 1)}
	go n.run()
	return n, nil
}

func (n *notify) Watched() []string { return n.WatchList() }

func (n *notify) Changes() <-chan struct{} { return n.changes }

// run ends when the watcher is closed.
func (n *notify) run() {
	for {
		select {
		case event, ok := <-n.Events:
			if !ok {
				return
			}
			if event.Op == fsnotify.Chmod || hidden(filepath.Base(event.Name)) && filepath.Base(event.Name) != IgnoreFile {
				continue
			}
		case _, ok := <-n.Errors: // more happened than it could tell
			if !ok {
				return
			}
		}
		select {
		case n.changes <- struct{}{}:
		default: // one is waiting to be seen
		}
	}
}

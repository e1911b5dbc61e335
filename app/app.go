// Package app is the desktop shell: one thin bound service a screen over the backend, the events
// they send, and the one place where errors become what the window shows.
//
// The services know nothing of Wails. They reach the desktop through a Shell, which the window
// implements with Wails and the browser test with an HTTP handler.
package app

import "fanous/backend"

// Shell is the desktop around the services.
type Shell interface {
	// Emit sends an event to the window; data is encoded as JSON.
	Emit(event string, data any)
	// ChooseFolder asks the analyst for a folder; empty when the dialog was cancelled.
	ChooseFolder() (string, error)
	// ChooseFile asks for a file to read; empty when the dialog was cancelled.
	ChooseFile() (string, error)
	// ChooseNewFile asks where to write a file, and suggests a name; empty when the dialog was cancelled.
	ChooseNewFile(name string) (string, error)
	// OpenFile opens a file in the program that the desktop has for it.
	OpenFile(path string) error
	// ShowInFolder opens the file's folder, with the file selected where the desktop can.
	ShowInFolder(path string) error
}

// Events that the services send.
const (
	EventSearchPartial = "search:partial" // Partial
	EventIndexProgress = "index:progress" // domain.IndexProgress
	EventModelWork     = "models:work"    // ModelWork
	EventMeasureWork   = "measure:work"   // MeasureWork
	EventDrillWork     = "drill:work"     // DrillWork
	EventWatch         = "index:watch"    // Watch
)

// Configure gives what the backend is opened with. It is called in the background, after the window is up, and again
// whenever the backend is opened anew.
type Configure func() (backend.Config, error)

// App is the services and the backend that they share.
type App struct {
	engine   *engine
	services []any
}

// New makes the services; nothing is opened before Start.
func New(shell Shell, configure Configure) *App {
	e := newEngine(configure)
	w := &watches{engine: e, shell: shell}
	d := &DrillService{engine: e, shell: shell}
	e.opened = func() {
		w.restart()
		d.whenDue()
	}
	return &App{engine: e, services: []any{
		&SearchService{engine: e, shell: shell},
		&IndexService{engine: e, shell: shell},
		&CollectionsService{engine: e, shell: shell, watches: w},
		&DocumentsService{engine: e, shell: shell},
		&LedgerService{engine: e, shell: shell},
		&PreviewService{engine: e},
		&StatusService{engine: e},
		&ModelService{engine: e, shell: shell},
		&MeasureService{engine: e, shell: shell},
		d,
		&SettingsService{engine: e, shell: shell},
		&HistoryService{engine: e},
	}}
}

// Services are the values to bind, each a pointer to a struct whose exported methods the window calls.
func (a *App) Services() []any { return a.services }

// Start opens the backend in the background. Calls that come before it is open wait for it.
func (a *App) Start() { a.engine.start() }

// Close cancels what runs, waits for it and closes the backend.
func (a *App) Close() error { return a.engine.close() }

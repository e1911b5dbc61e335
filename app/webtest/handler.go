// Package webtest serves the window's frontend to an ordinary browser: the same bound services behind
// HTTP instead of Wails, events as server-sent events. It is for tests and never part of a program.
package webtest

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"reflect"
	"strings"
	"sync"

	"fanous/app"
)

//go:embed shim.js
var shim []byte

// Server is the Shell and the HTTP handler around an app's services.
type Server struct {
	mux      *http.ServeMux
	services map[string]reflect.Value

	mu        sync.Mutex
	listeners map[chan []byte]struct{}

	// Folder and File answer the dialogs for folders and for files, one value a dialog; empty means cancelled.
	Folder, File chan string
	// Opened gets the paths that are to be opened or shown, each after "open " or "show ".
	Opened chan string
}

// New makes the server and the app whose services it serves; assets is the built frontend.
func New(assets fs.FS, configure app.Configure) (*Server, *app.App) {
	s := &Server{mux: http.NewServeMux(), services: map[string]reflect.Value{}, listeners: map[chan []byte]struct{}{},
		Folder: make(chan string), File: make(chan string), Opened: make(chan string, 100)}
	a := app.New(s, configure)
	for _, service := range a.Services() {
		v := reflect.ValueOf(service)
		s.services[v.Elem().Type().Name()] = v
	}
	s.mux.Handle("GET /", http.FileServerFS(assets))
	s.mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { servePage(w, assets) })
	s.mux.HandleFunc("GET /shim.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		w.Write(shim)
	})
	s.mux.HandleFunc("GET /events", s.serveEvents)
	s.mux.HandleFunc("POST /call/{service}/{method}", s.serveCall)
	return s, a
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// Emit implements app.Shell.
func (s *Server) Emit(event string, data any) {
	message, err := json.Marshal(map[string]any{"event": event, "data": data})
	if err != nil {
		panic(fmt.Sprintf("event %s cannot be encoded: %v", event, err)) // Wails would end the program too
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for l := range s.listeners {
		l <- message
	}
}

// ChooseFolder implements app.Shell by waiting for Folder.
func (s *Server) ChooseFolder() (string, error) { return <-s.Folder, nil }

// ChooseFile implements app.Shell by waiting for File.
func (s *Server) ChooseFile() (string, error) { return <-s.File, nil }

// ChooseNewFile implements app.Shell by waiting for File.
func (s *Server) ChooseNewFile(string) (string, error) { return <-s.File, nil }

// OpenFile implements app.Shell by telling Opened.
func (s *Server) OpenFile(path string) error {
	s.Opened <- "open " + path
	return nil
}

// ShowInFolder implements app.Shell by telling Opened.
func (s *Server) ShowInFolder(path string) error {
	s.Opened <- "show " + path
	return nil
}

// servePage serves the frontend's page with the shim in the place where Wails puts its own scripts.
func servePage(w http.ResponseWriter, assets fs.FS) {
	page, err := fs.ReadFile(assets, "index.html")
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(bytes.Replace(page, []byte("<head>"), []byte(`<head><script src="/shim.js"></script>`), 1))
}

func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	listener := make(chan []byte, 4096) // more events than any test makes: Emit must not wait for a browser
	s.mu.Lock()
	s.listeners[listener] = struct{}{}
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.listeners, listener)
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	flush := http.NewResponseController(w)
	fmt.Fprint(w, ": open\n\n")
	flush.Flush()
	for {
		select {
		case message := <-listener:
			fmt.Fprintf(w, "data: %s\n\n", message)
			flush.Flush()
		case <-r.Context().Done():
			return
		}
	}
}

// serveCall calls a bound method as Wails does: JSON arguments in, the result or the formatted error out.
func (s *Server) serveCall(w http.ResponseWriter, r *http.Request) {
	service, ok := s.services[r.PathValue("service")]
	var method reflect.Value
	if ok {
		method = service.MethodByName(r.PathValue("method"))
	}
	if !method.IsValid() {
		http.Error(w, "no such method", http.StatusNotFound)
		return
	}
	args, err := arguments(method.Type(), r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var result any
	for _, out := range method.Call(args) {
		if err, isError := out.Interface().(error); isError {
			http.Error(w, app.FormatError(err).(string), http.StatusUnprocessableEntity)
			return
		}
		if !out.Type().Implements(reflect.TypeFor[error]()) {
			result = out.Interface()
		}
	}
	w.Header().Set("Content-Type", "application/json")
	data, err := json.Marshal(result)
	if err != nil {
		panic(err)
	}
	_, _ = w.Write(data) // a window that closes reads no answer
}

func arguments(method reflect.Type, r *http.Request) ([]reflect.Value, error) {
	var raw []json.RawMessage
	if err := json.NewDecoder(r.Body).Decode(&raw); err != nil {
		return nil, err
	}
	if len(raw) != method.NumIn() {
		return nil, fmt.Errorf("%d arguments, want %d", len(raw), method.NumIn())
	}
	var args []reflect.Value
	for i, text := range raw {
		arg := reflect.New(method.In(i))
		decoder := json.NewDecoder(strings.NewReader(string(text)))
		decoder.DisallowUnknownFields() // the frontend and the domain must agree
		if err := decoder.Decode(arg.Interface()); err != nil {
			return nil, err
		}
		args = append(args, arg.Elem())
	}
	return args, nil
}

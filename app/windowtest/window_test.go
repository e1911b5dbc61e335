//go:build window

// Package windowtest looks at the real window of the built program, under a virtual display.
package windowtest

import (
	"fmt"
	"image"
	"image/color"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"fanous/backend"
	"fanous/backend/domain"
	"fanous/backend/extract/pdftest"
)

// patience bounds every wait. It is no expectation of speed.
const patience = time.Minute

const artifacts = "../../build/artifacts"

// TestWindow starts the program on an index with one document, types a word of it and waits until the
// window shows it highlighted: page, bindings, backend and events all work in the real webview. It goes on doing so when
// the program is started a second time, and after it was killed.
func TestWindow(t *testing.T) {
	for _, tool := range []string{"Xvfb", "dbus-daemon", "xdotool", "import"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("%v: install the packages xvfb, dbus, xdotool and imagemagick", err)
		}
	}
	d := &desk{t: t, program: built(t), data: prepareIndex(t), home: t.TempDir(), bus: startBus(t), screen: startScreen(t), light: lightTheme(t)}

	first := d.start()
	d.finds("zanzibarium")
	d.save("window.png")
	if n := colours(d.picture); n < 50 {
		t.Errorf("the window shows %d colours", n)
	}

	// A page of a PDF is drawn beside the results, with the words marked on its paper.
	d.press("Escape")
	d.finds("quaylight")
	d.press("Down", "space")
	d.until(first, func(img image.Image) bool { return near(img, marked) > 100 })
	d.save("window-preview.png")
	d.press("Escape", "Escape")

	// The other screens are loaded apart from the first: the guide, whose pictures have far more colours than a search.
	searching := colours(d.picture)
	d.press("ctrl+7")
	d.until(first, func(img image.Image) bool { return colours(img) > 2*searching })
	d.save("window-guide.png")
	d.press("Escape")

	// A second one finds the first, shows it and ends (Wails lets it end with 1); the first has kept what was typed.
	_ = d.wait(d.start())
	d.until(first, d.found)
	d.save("window-second-start.png")

	// Killed, it loses nothing: the next one opens the same index.
	pid := d.pid()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := d.wait(first); err == nil {
		t.Error("it was killed, and ended well")
	}
	next := d.start()
	d.finds("zanzibarium")
	d.save("window-after-kill.png")

	// Asked to end, it closes its index and ends by itself.
	if err := syscall.Kill(d.pid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := d.wait(next); err != nil {
		t.Errorf("the program ended with %v", err)
	}
}

// built is the path of the built window.
func built(t *testing.T) string {
	t.Helper()
	program := os.Getenv("FANOUS_DESKTOP")
	if program == "" {
		t.Fatal("FANOUS_DESKTOP is not set: it names the built window, build/bin/fanous-desktop")
	}
	program, err := filepath.Abs(program)
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// theme are colours that say what the window shows.
type theme struct {
	ring color.RGBA // the edge of the box that has the focus
	mark color.RGBA // highlights
	rank color.RGBA // bars of rank scores
}

// marked is white paper under a passage's colour and a mark's (PageView), which multiply.
var marked = color.RGBA{253, 198, 73, 255}

// lightTheme reads them where the frontend has them.
func lightTheme(t *testing.T) theme {
	t.Helper()
	css, err := os.ReadFile("../../frontend/src/app.css")
	if err != nil {
		t.Fatal(err)
	}
	colour := func(token string) color.RGBA {
		c := color.RGBA{A: 0xff}
		_, value, _ := strings.Cut(string(css), "--"+token+": #")
		if _, err := fmt.Sscanf(value, "%02x%02x%02x;", &c.R, &c.G, &c.B); err != nil {
			t.Fatalf("the colour %s: %v", token, err)
		}
		return c
	}
	return theme{ring: colour("accent-fill"), mark: colour("mark"), rank: colour("rank-fill")}
}

// desk is a virtual display and what it takes to start the program on it.
type desk struct {
	t                   *testing.T
	program, data, home string
	bus, screen         string
	light               theme
	picture             image.Image // the last one taken
}

// start starts the program and sends how it ends.
func (d *desk) start() <-chan error {
	d.t.Helper()
	window := exec.Command(d.program)
	window.Env = append(os.Environ(), "DISPLAY="+d.screen, "DBUS_SESSION_BUS_ADDRESS="+d.bus, "FANOUS_DATA="+d.data, "HOME="+d.home,
		"CO_API_KEY=", "FANOUS_KEYCHAIN=off", "GTK_THEME=Adwaita", "LC_ALL=C.UTF-8", "GDK_BACKEND=x11", "NO_AT_BRIDGE=1")
	return start(d.t, window)
}

func (d *desk) wait(ended <-chan error) error {
	d.t.Helper()
	select {
	case err := <-ended:
		return err
	case <-time.After(patience):
		d.t.Fatal("the program did not end")
		return nil
	}
}

// finds types a word into the box, which takes the focus once the index is open, and waits for the passage.
func (d *desk) finds(word string) {
	d.t.Helper()
	xdotool(d.t, d.screen, "windowfocus", "--sync", d.window())
	d.until(nil, func(img image.Image) bool { return pixels(img, d.light.ring) > 1000 })
	xdotool(d.t, d.screen, "type", word)
	d.until(nil, d.found)
}

// found says whether a passage is shown in its last order: the fused one, which comes first, has striped grey bars.
func (d *desk) found(img image.Image) bool {
	return pixels(img, d.light.mark) > 100 && pixels(img, d.light.rank) == 0
}

func (d *desk) press(keys ...string) {
	d.t.Helper()
	xdotool(d.t, d.screen, append([]string{"key", "--delay", "100"}, keys...)...)
}

func (d *desk) window() string {
	d.t.Helper()
	return strings.TrimSpace(xdotool(d.t, d.screen, "search", "--sync", "--onlyvisible", "--name", "^Fanous$"))
}

func (d *desk) pid() int {
	d.t.Helper()
	pid, err := strconv.Atoi(strings.TrimSpace(xdotool(d.t, d.screen, "getwindowpid", d.window())))
	if err != nil {
		d.t.Fatal(err)
	}
	return pid
}

func (d *desk) until(ended <-chan error, wanted func(image.Image) bool) {
	d.t.Helper()
	d.picture = waitFor(d.t, d.screen, ended, wanted)
}

func (d *desk) save(name string) { save(d.t, name, d.picture) }

// prepareIndex makes a data folder whose index holds two documents.
func prepareIndex(t *testing.T) string {
	t.Helper()
	data, documents := t.TempDir(), t.TempDir()
	text := "# Harbour notes\n\nThe zanzibarium was unloaded at the eastern quay.\n\nاین متن هم هست: فانوس دریایی.\n"
	if err := os.WriteFile(filepath.Join(documents, "notes.md"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(documents, "letter.pdf"), pdftest.Letter([]string{"The quaylight burns."}), 0o644); err != nil {
		t.Fatal(err)
	}
	cfg, err := backend.LoadConfig("", data)
	if err != nil {
		t.Fatal(err)
	}
	b, err := backend.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	report, err := b.Index(t.Context(), domain.IndexRequest{Paths: []string{documents}}, func(domain.IndexProgress) {})
	if err != nil || report.Indexed != 2 {
		t.Fatalf("indexing: %+v, %v", report, err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	return data
}

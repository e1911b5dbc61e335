//go:build window

// Package windowtest looks at the real window of the built program, under a virtual display.
package windowtest

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
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
)

// patience bounds every wait. It is no expectation of speed.
const patience = time.Minute

const artifacts = "../../build/artifacts"

// Colours of the light theme, as the frontend's app.css names them.
var (
	ring = color.RGBA{0xd9, 0x83, 0x24, 0xff} // --accent-fill: the edge of the box that has the focus
	mark = color.RGBA{0xff, 0xe3, 0xa3, 0xff} // --mark: highlights
	rank = color.RGBA{0xb3, 0xaa, 0x9a, 0xff} // --rank-fill: bars of rank scores
)

// TestWindow starts the program on an index with one document, types a word of it and waits until the
// window shows it highlighted: page, bindings, backend and events all work in the real webview.
func TestWindow(t *testing.T) {
	program := os.Getenv("FANOUS_DESKTOP")
	if program == "" {
		t.Fatal("FANOUS_DESKTOP is not set: it names the built window, build/bin/fanous-desktop")
	}
	program, err := filepath.Abs(program)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"Xvfb", "dbus-run-session", "xdotool", "import"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("%v: install the packages xvfb, dbus, xdotool and imagemagick", err)
		}
	}

	data := prepareIndex(t)
	screen := startScreen(t)
	window := exec.Command("dbus-run-session", "--", program)
	window.Env = append(os.Environ(), "DISPLAY="+screen, "FANOUS_DATA="+data, "HOME="+t.TempDir(), "CO_API_KEY=",
		"GTK_THEME=Adwaita", "LC_ALL=C.UTF-8", "GDK_BACKEND=x11", "NO_AT_BRIDGE=1")
	ended := start(t, window)

	id := strings.TrimSpace(xdotool(t, screen, "search", "--sync", "--onlyvisible", "--name", "^Fanous$"))
	xdotool(t, screen, "windowfocus", "--sync", id)
	// The box takes the focus once the index is open, and its ring shows.
	waitFor(t, screen, ended, func(img image.Image) bool { return pixels(img, ring) > 1000 })
	xdotool(t, screen, "type", "zanzibarium")
	// The fused order comes first, by an event, with striped grey bars; the reranked one has none.
	picture := waitFor(t, screen, ended, func(img image.Image) bool {
		return pixels(img, mark) > 100 && pixels(img, rank) == 0
	})
	save(t, "window.png", picture)
	if n := colours(picture); n < 50 {
		t.Errorf("the window shows %d colours", n)
	}

	// Asked to end, it closes its index and ends by itself.
	pid, err := strconv.Atoi(strings.TrimSpace(xdotool(t, screen, "getwindowpid", id)))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("the program ended with %v", err)
		}
	case <-time.After(patience):
		t.Error("the program did not end when it was asked to")
	}
}

// prepareIndex makes a data folder whose index holds one document.
func prepareIndex(t *testing.T) string {
	t.Helper()
	data, documents := t.TempDir(), t.TempDir()
	text := "# Harbour notes\n\nThe zanzibarium was unloaded at the eastern quay.\n\nاین متن هم هست: فانوس دریایی.\n"
	if err := os.WriteFile(filepath.Join(documents, "notes.md"), []byte(text), 0o644); err != nil {
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
	if err != nil || report.Indexed != 1 {
		t.Fatalf("indexing: %+v, %v", report, err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	return data
}

// startScreen starts a virtual display with a number of its own choice and returns its name.
func startScreen(t *testing.T) string {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	x := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1200x900x24", "-nolisten", "tcp")
	x.ExtraFiles = []*os.File{write}
	start(t, x)
	write.Close()
	if err := read.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	var number int
	if _, err := fmt.Fscan(read, &number); err != nil {
		t.Fatalf("Xvfb gave no display: %v", err)
	}
	return fmt.Sprintf(":%d", number)
}

// start starts a program in a group of its own, which ends with the test, and sends how it ended.
func start(t *testing.T, cmd *exec.Cmd) <-chan error {
	t.Helper()
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended, gone := make(chan error, 1), make(chan struct{})
	go func() {
		ended <- cmd.Wait()
		close(gone)
	}()
	t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		<-gone
		if t.Failed() {
			t.Logf("%s said:\n%s", filepath.Base(cmd.Path), output.String())
		}
	})
	return ended
}

func xdotool(t *testing.T, screen string, args ...string) string {
	t.Helper()
	return string(onScreen(t, screen, "xdotool", args...))
}

func onScreen(t *testing.T, screen, name string, args ...string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+screen)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v", name, strings.Join(args, " "), err)
	}
	return out
}

// waitFor takes pictures of the screen until one is as wanted.
func waitFor(t *testing.T, screen string, ended <-chan error, wanted func(image.Image) bool) image.Image {
	t.Helper()
	for deadline := time.Now().Add(patience); ; {
		img, err := png.Decode(bytes.NewReader(onScreen(t, screen, "import", "-window", "root", "png:-")))
		if err != nil {
			t.Fatal(err)
		}
		if wanted(img) {
			return img
		}
		select {
		case err := <-ended:
			t.Fatalf("the program ended: %v", err)
		default:
		}
		if time.Now().After(deadline) {
			save(t, "window.png", img)
			t.Fatal("the window never showed the passage; see build/artifacts/window.png")
		}
	}
}

func pixels(img image.Image, want color.RGBA) int {
	n := 0
	each(img, func(c color.RGBA) {
		if c == want {
			n++
		}
	})
	return n
}

func colours(img image.Image) int {
	seen := map[color.RGBA]bool{}
	each(img, func(c color.RGBA) { seen[c] = true })
	return len(seen)
}

func each(img image.Image, visit func(color.RGBA)) {
	bounds := img.Bounds()
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			visit(color.RGBAModel.Convert(img.At(x, y)).(color.RGBA))
		}
	}
}

func save(t *testing.T, name string, img image.Image) {
	t.Helper()
	var file bytes.Buffer
	if err := png.Encode(&file, img); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(artifacts, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(artifacts, name), file.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

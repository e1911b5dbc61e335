//go:build window

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
	"strings"
	"syscall"
	"testing"
	"time"
)

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

// startBus starts a message bus of its own, by which two programs find each other, and returns its address.
func startBus(t *testing.T) string {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	bus := exec.Command("dbus-daemon", "--session", "--nofork", "--print-address=3")
	bus.ExtraFiles = []*os.File{write}
	start(t, bus)
	write.Close()
	if err := read.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	var address string
	if _, err := fmt.Fscan(read, &address); err != nil {
		t.Fatalf("the message bus gave no address: %v", err)
	}
	return address
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

// near counts pixels of nearly one colour: how colours are blended differs by a step or two.
func near(img image.Image, want color.RGBA) int {
	n := 0
	apart := func(a, b uint8) uint8 { return max(a, b) - min(a, b) }
	each(img, func(c color.RGBA) {
		if max(apart(c.R, want.R), apart(c.G, want.G), apart(c.B, want.B)) <= 3 {
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

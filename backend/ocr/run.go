package ocr

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os/exec"
	"strings"
	"time"

	"fanous/models/child"
)

// limits of one page.
type limits struct {
	time   time.Duration
	memory uint64 // bytes of address space, where the system can hold a program to it
	output int    // bytes
}

// defaultLimits: a page of a scanned book takes seconds and a few hundred megabytes, most of which are the languages.
var defaultLimits = limits{time: 3 * time.Minute, memory: 3 << 30, output: 32 << 20}

// Errors of a page. Every other error than ctx's own says that the program could not be run.
var (
	ErrTooSlow = errors.New("reading its text took too long")
	ErrFailed  = errors.New("the program that reads its text failed")
)

// Read reads a page that was rendered at DPI, or an image of about that resolution. The languages are those of the
// documents beside it, BCP 47, the most frequent first; none is fine.
func (p *Program) Read(ctx context.Context, page *image.Gray, languages []string) (Page, error) {
	size := page.Bounds()
	if size.Empty() || size.Dx()*size.Dy() > MaxPixels {
		return Page{}, fmt.Errorf("%w: an image of %d × %d pixels", ErrFailed, size.Dx(), size.Dy())
	}
	within, cancel := context.WithTimeout(ctx, p.limits.time)
	defer cancel()
	cmd := exec.CommandContext(within, p.path, "stdin", "stdout", "-l", strings.Join(choose(p.languages, languages), "+"),
		"--psm", "3", "--dpi", fmt.Sprint(DPI), "tsv")
	// More threads than one make it slower and take the other core from whoever works on the machine.
	child.Prepare(cmd, "OMP_THREAD_LIMIT=1")
	group := isolate(cmd)
	cmd.Cancel = func() error { return group.kill(cmd) }
	out, complaints := &bounded{limit: p.limits.output}, &bounded{limit: 4 << 10}
	out.full = cancel
	cmd.Stdout, cmd.Stderr = out, complaints
	input, err := cmd.StdinPipe()
	if err != nil {
		return Page{}, err
	}
	if err := cmd.Start(); err != nil {
		return Page{}, fmt.Errorf("the program Tesseract does not start: %w", err)
	}
	group.bound(cmd, p.limits)
	fed := make(chan struct{})
	go func() {
		defer close(fed)
		_ = writePGM(input, page) // a program that ended says more by its exit
		input.Close()
	}()
	ended := cmd.Wait() // closes its input
	<-fed
	switch {
	case ctx.Err() != nil:
		return Page{}, ctx.Err()
	case out.over:
		return Page{}, fmt.Errorf("%w: it wrote more than %d MB", ErrFailed, p.limits.output>>20)
	case within.Err() != nil:
		return Page{}, ErrTooSlow
	case ended != nil:
		return Page{}, fmt.Errorf("%w: %s", ErrFailed, complaints.last(ended))
	}
	return parse(out.kept, size.Dx(), size.Dy())
}

// writePGM writes grey pixels with the header that says how many they are.
func writePGM(w io.Writer, page *image.Gray) error {
	b := bufio.NewWriterSize(w, 1<<16)
	size := page.Bounds()
	fmt.Fprintf(b, "P5\n%d %d\n255\n", size.Dx(), size.Dy())
	for y := size.Min.Y; y < size.Max.Y; y++ {
		from := page.PixOffset(size.Min.X, y)
		if _, err := b.Write(page.Pix[from : from+size.Dx()]); err != nil {
			return err
		}
	}
	return b.Flush()
}

// bounded keeps what is written up to a limit.
type bounded struct {
	kept  []byte
	limit int
	over  bool
	full  func() // called once the limit is reached; may be nil
}

func (b *bounded) Write(p []byte) (int, error) {
	room := b.limit - len(b.kept)
	b.kept = append(b.kept, p[:min(len(p), room)]...)
	if len(p) > room {
		b.over = true
		if b.full != nil {
			b.full()
		}
	}
	return len(p), nil
}

// last is the last line that the program wrote, or how it ended.
func (b *bounded) last(ended error) string {
	lines := strings.Split(strings.TrimSpace(string(b.kept)), "\n")
	if line := strings.TrimSpace(lines[len(lines)-1]); line != "" {
		return line
	}
	return ended.Error()
}

package child

import (
	"errors"
	"os/exec"
	"strings"
)

// Words keeps the first part of what a child says on its standard error, where it is of use when the child ends.
type Words struct{ kept []byte }

// Write never fails and never keeps more than enough.
func (w *Words) Write(p []byte) (int, error) {
	const enough = 64 << 10
	w.kept = append(w.kept, p[:min(len(p), max(0, enough-len(w.kept)))]...)
	return len(p), nil
}

// Epitaph says how a process ended, by what Go's runtime writes of a signal or exception in foreign code, and else by
// the exit, which is what Wait returned. Words may not be written to any more.
func (w *Words) Epitaph(ended error) string {
	for text := range strings.Lines(string(w.kept)) {
		text = strings.TrimSpace(text)
		for _, mark := range []string{"SIG", "Exception 0x", "fatal error: ", "panic: "} {
			if strings.HasPrefix(text, mark) {
				return text
			}
		}
	}
	var exit *exec.ExitError
	if errors.As(ended, &exit) {
		return exit.String()
	}
	return "it said nothing"
}

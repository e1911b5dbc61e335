package fetch

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestARealDiskThatFills is a file system of two megabytes in a mount namespace of its own. It says that it has room, as
// one does that others fill meanwhile.
func TestARealDiskThatFills(t *testing.T) {
	const inside = "FANOUS_TEST_SMALL_DISK"
	if os.Getenv(inside) == "" {
		withMounts(t, inside+"=1")
		return
	}
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=2m"); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Unmount(disk, 0) }()
	file := content(size)
	s, want := serve(t, good(file, "")), wanted(t, file)
	want.Path = filepath.Join(disk, "file")
	err := fetcher().Get(t.Context(), want, []Source{s.source()}, nil)
	if !errors.Is(err, ErrDiskFull) {
		t.Errorf("error %v", err)
	}
	part, err := os.ReadFile(want.part())
	if err != nil || len(part) == 0 || string(part) != string(file[:len(part)]) {
		t.Errorf("%d bytes are kept (%v)", len(part), err)
	}
	if err := syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT, "size=20m"); err != nil {
		t.Fatal(err)
	}
	s = serve(t, good(file, "")) // the first one may still be sending
	if err := fetcher().Get(t.Context(), want, []Source{s.source()}, nil); err != nil {
		t.Fatal(err)
	}
	whole(t, want, file)
	if got := int(s.sent.Load()); got != size-len(part) {
		t.Errorf("with space again the server sent %d bytes, not %d", got, size-len(part))
	}
}

// withMounts runs the test that calls it, and no other, in a mount namespace of its own.
func withMounts(t *testing.T, env string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), env)
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER}
	cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
	cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err != nil && !errors.As(err, &exit), strings.Contains(string(out), syscall.EPERM.Error()):
		t.Skipf("this machine does not let a test mount a file system (%v): allow user namespaces", err)
	case err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()):
		t.Fatalf("in a mount namespace: %v\n%s", err, out)
	}
}

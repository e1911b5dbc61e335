package backend

import (
	"os"
	"path/filepath"
	"testing"

	"fanous/backend/domain"
)

// TestEncryptedVolumes: a volume of dm-crypt, a logical one on it, one of which a part is plain, a plain one, and what
// is not known.
func TestEncryptedVolumes(t *testing.T) {
	sys := t.TempDir()
	device := func(name, uuid string, parts ...string) {
		t.Helper()
		dir := filepath.Join(sys, "devices", name)
		if err := os.MkdirAll(filepath.Join(dir, "slaves"), 0o755); err != nil {
			t.Fatal(err)
		}
		if uuid != "" {
			if err := os.MkdirAll(filepath.Join(dir, "dm"), 0o755); err != nil {
				t.Fatal(err)
			}
			put(t, filepath.Join(dir, "dm", "uuid"), uuid+"\n")
		}
		for _, part := range parts {
			if err := os.Symlink(filepath.Join(sys, "devices", part), filepath.Join(dir, "slaves", part)); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.MkdirAll(filepath.Join(sys, "dev", "block"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(dir, filepath.Join(sys, "dev", "block", name)); err != nil {
			t.Fatal(err)
		}
	}
	device("8:1", "")
	device("254:0", "CRYPT-LUKS2-0123", "8:1")
	device("254:1", "LVM-4567", "254:0")
	device("254:2", "LVM-89ab", "254:0", "8:1")
	for minor, want := range []domain.Encryption{domain.EncryptionOn, domain.EncryptionOn, domain.EncryptionOff, domain.EncryptionUnknown} {
		if got := volumeIn(sys, 254, uint32(minor)); got != want {
			t.Errorf("254:%d: %s, want %s", minor, got, want)
		}
	}
	if got := volumeIn(sys, 8, 1); got != domain.EncryptionOff {
		t.Error(got)
	}
	if got := volumeIn(sys, 0, 42); got != domain.EncryptionUnknown {
		t.Error(got)
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

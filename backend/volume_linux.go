package backend

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"fanous/backend/domain"
)

// volume says whether the file system of a folder lies on a volume that Linux encrypts.
func volume(dir string) domain.Encryption {
	var s unix.Stat_t
	if err := unix.Stat(dir, &s); err != nil {
		return domain.EncryptionUnknown
	}
	return volumeIn("/sys", unix.Major(s.Dev), unix.Minor(s.Dev))
}

// volumeIn looks at a device, and at those that it is made of: a logical volume may lie on an encrypted one. File systems
// without a device of their own (btrfs, ZFS, those of containers) are not known, nor is what a disk encrypts by itself.
func volumeIn(sys string, major, minor uint32) domain.Encryption {
	if major == 0 {
		return domain.EncryptionUnknown
	}
	device := filepath.Join(sys, "dev", "block", fmt.Sprintf("%d:%d", major, minor))
	if _, err := os.Stat(device); err != nil {
		return domain.EncryptionUnknown
	}
	if crypted(device, 0) {
		return domain.EncryptionOn
	}
	return domain.EncryptionOff
}

// crypted says whether a device is dm-crypt's or all that it is made of is.
func crypted(device string, depth int) bool {
	uuid, err := os.ReadFile(filepath.Join(device, "dm", "uuid"))
	if err == nil && strings.HasPrefix(string(uuid), "CRYPT-") {
		return true
	}
	parts, err := filepath.Glob(filepath.Join(device, "slaves", "*"))
	if err != nil || len(parts) == 0 || depth > 8 {
		return false
	}
	for _, part := range parts {
		if !crypted(part, depth+1) {
			return false
		}
	}
	return true
}

//go:build !linux

package backend

import "fanous/backend/domain"

// volume is not known here: BitLocker and FileVault tell it to administrators only.
func volume(string) domain.Encryption { return domain.EncryptionUnknown }

package extract

import (
	"archive/zip"
	"encoding/binary"
	"hash/crc32"
	"strings"
	"unicode/utf8"
)

// zipNames gives the names of the files of an archive. One that is no UTF-8 does not say what it is: the
// names decide together, by which encoding makes words of them.
func zipNames(files []*zip.File) []string {
	names := make([]string, len(files))
	var all strings.Builder
	for i, f := range files {
		names[i] = f.Name
		if f.NonUTF8 && !utf8.ValidString(f.Name) {
			if name := unicodeName(f); name != "" {
				names[i] = name
			} else if all.Len() < headSize {
				all.WriteString(f.Name + "/")
			}
		}
	}
	if all.Len() == 0 {
		return names
	}
	decoder := nameDecoder(all.String())
	for i, name := range names {
		if !utf8.ValidString(name) {
			names[i] = decoder(name)
		}
	}
	return names
}

// unicodeName reads a name that stands beside the one of the archive, in UTF-8 (field 0x7075 of Info-ZIP).
func unicodeName(f *zip.File) string {
	for extra := f.Extra; len(extra) >= 4; {
		id, size := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		extra = extra[4:]
		if size > len(extra) {
			break
		}
		if field := extra[:size]; id == 0x7075 && size > 5 && field[0] == 1 && binary.LittleEndian.Uint32(field[1:]) == crc32.ChecksumIEEE([]byte(f.Name)) {
			if name := string(field[5:]); utf8.ValidString(name) {
				return name
			}
		}
		extra = extra[size:]
	}
	return ""
}

// decodeName decodes one name on its own.
func decodeName(name string) string {
	if utf8.ValidString(name) {
		return name
	}
	return nameDecoder(name)(name)
}

// nameDecoder finds the encoding in which names look most like names.
func nameDecoder(names string) func(string) string {
	enc := guess([]byte(names), true)
	return func(s string) string { return convert([]byte(s), enc) }
}

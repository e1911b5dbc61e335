package corpus

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"hash/crc32"
	"strings"

	"fanous/backend/domain"
)

// hostile writes files that ask for more than there is, and honest ones that look like them. What ends a child, and what
// inflates until it is stopped, package readertest has.
func (m *maker) hostile() error {
	const depth = 200_000
	nested, err := word(wordDocument(xmlHead, strings.Repeat(`<w:sdt><w:sdtContent>`, depth)+wordP(run("saltmarsh"))+strings.Repeat(`</w:sdtContent></w:sdt>`, depth)))
	if err != nil {
		return err
	}
	honest, err := zipped(part{"log.txt", strings.Repeat("The same ship passed at dawn.\n", 10_000) + "seagrass at its end"})
	if err != nil {
		return err
	}
	claims, err := claiming("a.txt", "samphire in little", 1<<50, 0)
	if err != nil {
		return err
	}
	locked, err := claiming("a.txt", "locked away", 11, 1)
	if err != nil {
		return err
	}
	member := func(name string, state domain.DocumentState) map[string]domain.DocumentState {
		return map[string]domain.DocumentState{name: state}
	}
	found := func(query, member string) []Sought {
		return []Sought{{Query: query, Marked: []string{query}, Member: member}}
	}
	for _, f := range []struct {
		file File
		data []byte
	}{
		{File{Name: "hostile/nested.html", Sought: found("bladderwrack", "")}, []byte(strings.Repeat("<div><b>", depth) + "bladderwrack")},
		{File{Name: "hostile/nested.docx", Sought: found("saltmarsh", "")}, nested},
		{File{Name: "hostile/honest.zip", State: domain.StateContainer, Members: member("log.txt", domain.StateIndexed), Sought: found("seagrass", "log.txt")}, honest},
		{File{Name: "hostile/claims.zip", State: domain.StateContainer, Members: member("a.txt", domain.StateFailed)}, claims},
		{File{Name: "hostile/locked.zip", State: domain.StateContainer, Members: member("a.txt", domain.StateNeedsPassword)}, locked},
	} {
		if err := m.put(f.file, f.data); err != nil {
			return err
		}
	}
	return nil
}

// claiming is an archive of one file that says of it what it likes.
func claiming(name, content string, size uint64, flags uint16) ([]byte, error) {
	var packed, out bytes.Buffer
	f, err := flate.NewWriter(&packed, flate.BestCompression)
	if err == nil {
		_, err = f.Write([]byte(content))
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return nil, err
	}
	z := zip.NewWriter(&out)
	w, err := z.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Deflate, Flags: flags, CRC32: crc32.ChecksumIEEE([]byte(content)), CompressedSize64: uint64(packed.Len()), UncompressedSize64: size})
	if err == nil {
		_, err = w.Write(packed.Bytes())
	}
	if err == nil {
		err = z.Close()
	}
	return out.Bytes(), err
}

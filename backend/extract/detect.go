package extract

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"unicode"
)

type format string

const (
	formatText     format = "text"
	formatMarkdown format = "markdown"
	formatHTML     format = "html"
	formatPDF      format = "pdf"
	formatDOCX     format = "docx"
	formatXLSX     format = "xlsx"
	formatCSV      format = "csv"
	formatPPTX     format = "pptx"
	formatODT      format = "odt"
	formatODS      format = "ods"
	formatODP      format = "odp"
	formatEML      format = "eml"
	formatMBOX     format = "mbox"
	formatMHTML    format = "mhtml"
	formatEPUB     format = "epub"
	formatRTF      format = "rtf"
	formatJSON     format = "json"
	formatCode     format = "code"
	formatImage    format = "image"
)

// headSize is how much of a file is looked at to find out what it is.
const headSize = 64 << 10

// detect finds the format of a file from its content; only between kinds of text, which content
// cannot tell apart, the extension decides.
func detect(src source) (format, error) {
	head := make([]byte, headSize)
	n, err := src.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("the file could not be read: %w", err)
	}
	head = head[:n]
	switch {
	case len(bytes.TrimSpace(head)) == 0 && n < headSize:
		return formatText, nil // ends as "no text"
	case bytes.Contains(head[:min(n, 1024)], []byte("%PDF-")):
		return formatPDF, within(src, maxBinaryFile)
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		if err := within(src, maxBinaryFile); err != nil {
			return "", err
		}
		return detectZip(src)
	case bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
		return "", detectOLE(src)
	case bytes.HasPrefix(head, []byte(`{\rtf`)):
		return formatRTF, within(src, maxTextFile)
	case bytes.HasPrefix(head, []byte("%!PS")):
		return "", unsupported("it is a PostScript file")
	case isImage(head):
		return formatImage, nil
	}
	if looksBinary(head) {
		return "", unsupported("it is " + binaryName(head))
	}
	if err := within(src, maxTextFile); err != nil {
		return "", err
	}
	ext := strings.ToLower(filepath.Ext(src.name))
	if mail := detectMail(head, ext); mail != "" {
		return mail, nil
	}
	return detectText(head, ext), nil
}

func within(src source, limit int64) error {
	if src.size > limit {
		return tooLarge(limit)
	}
	return nil
}

func unsupported(what string) error { return fmt.Errorf("%w: %s", ErrUnsupported, what) }

func detectText(head []byte, ext string) format {
	start := strings.ToLower(strings.TrimLeftFunc(decodeText(head), unicode.IsSpace))
	for _, sign := range []string{"<!doctype html", "<html"} {
		if strings.HasPrefix(start, sign) {
			return formatHTML
		}
	}
	// XHTML: a declaration and comments may stand first.
	if strings.HasPrefix(start, "<?xml") || strings.HasPrefix(start, "<!--") {
		if i := strings.Index(start, "<html"); i >= 0 && i < 4096 {
			return formatHTML
		}
	}
	switch ext {
	case ".html", ".htm", ".xhtml", ".xht", ".shtml":
		if strings.Contains(start, "<") {
			return formatHTML
		}
	case ".md", ".markdown", ".mdown", ".mkd":
		return formatMarkdown
	case ".csv", ".tsv", ".tab":
		return formatCSV
	case ".json", ".jsonl", ".ndjson", ".geojson", ".ipynb":
		return formatJSON
	}
	if strings.HasPrefix(start, "#!") || codeExtensions[ext] {
		return formatCode
	}
	return formatText
}

// detectZip tells documents from the other things that are ZIP archives.
func detectZip(src source) (format, error) {
	archive, err := zip.NewReader(src, src.size)
	if err != nil {
		return "", fmt.Errorf("the file is a damaged archive: %w", err)
	}
	var names []string
	for _, f := range archive.File {
		names = append(names, f.Name)
	}
	has := func(prefix string) bool {
		for _, n := range names {
			if strings.HasPrefix(strings.ToLower(n), prefix) {
				return true
			}
		}
		return false
	}
	switch {
	case has("[content_types].xml") && has("word/"):
		return formatDOCX, nil
	case has("xl/"):
		return formatXLSX, nil
	case has("ppt/"):
		return formatPPTX, nil
	case has("meta-inf/container.xml"):
		return formatEPUB, nil
	case has("encrypted-package"):
		return "", ErrNeedsPassword // OpenDocument since 1.4
	case has("content.xml"):
		return openDocumentKind(archive), nil
	}
	return "", unsupported("it is a ZIP archive")
}

// openDocumentKind reads what an OpenDocument file says it is, in its first part.
func openDocumentKind(archive *zip.Reader) format {
	var kind []byte
	if f, err := archive.Open("mimetype"); err == nil {
		kind, _ = io.ReadAll(io.LimitReader(f, 100))
		f.Close()
	}
	switch {
	case bytes.Contains(kind, []byte(".spreadsheet")):
		return formatODS
	case bytes.Contains(kind, []byte(".presentation")), bytes.Contains(kind, []byte(".graphics")):
		return formatODP
	}
	return formatODT
}

// detectOLE says what an OLE container is. Office wraps an encrypted document in one, with a
// stream whose name, in UTF-16, is EncryptedPackage.
func detectOLE(src source) error {
	name := []byte("E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00")
	buf := make([]byte, 1<<20)
	for at := int64(0); at < min(src.size, maxBinaryFile); at += int64(len(buf) - len(name)) {
		n, err := src.ReadAt(buf, at)
		if bytes.Contains(buf[:n], name) {
			return ErrNeedsPassword
		}
		if err != nil {
			break
		}
	}
	return unsupported("it is an Office document of the older kind (.doc, .xls, .ppt) or an Outlook message")
}

// binaryName names common kinds that hold no text, in words.
func binaryName(head []byte) string {
	mime, _, _ := strings.Cut(http.DetectContentType(head), ";")
	kind, _, _ := strings.Cut(mime, "/")
	switch {
	case kind == "video":
		return "a video"
	case kind == "audio", mime == "application/ogg":
		return "a sound recording"
	case kind == "font":
		return "a font"
	case mime == "application/x-gzip", mime == "application/x-rar-compressed":
		return "a compressed archive"
	}
	return "not text and of no known kind"
}

package extract

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
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
	formatXML      format = "xml"
	formatTeX      format = "tex"
	formatMSG      format = "msg"
	formatDOC      format = "doc"
	formatICS      format = "ics"
	formatVCF      format = "vcf"
	formatImage    format = "image"

	// Containers: what they hold are documents.
	formatZIP   format = "zip"
	formatTAR   format = "tar"
	formatGZIP  format = "gzip"
	formatBZIP2 format = "bzip2"
	formatTNEF  format = "tnef"
	formatCMS   format = "cms"
)

// headSize is how much of a file is looked at to find out what it is.
const headSize = 64 << 10

// streams says that a format is a container that is read from front to back, without being held.
func (f format) streams() bool {
	switch f {
	case formatTAR, formatGZIP, formatBZIP2, formatMBOX, formatTNEF:
		return true
	}
	return false
}

// detectStream finds the containers that are read from front to back; "" for everything else.
func detectStream(head []byte, name string) format {
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return formatGZIP
	case len(head) >= 10 && bytes.HasPrefix(head, []byte("BZh")) && string(head[4:10]) == "1AY&SY":
		return formatBZIP2
	case isTar(head):
		return formatTAR
	case bytes.HasPrefix(head, []byte(tnefSign)):
		return formatTNEF
	case bytes.HasPrefix(head, []byte("From ")) && detectMail(head, strings.ToLower(filepath.Ext(name))) == formatMBOX:
		return formatMBOX
	}
	if first, rest, _ := bytes.Cut(head, []byte("\n")); isMMDF(first) && detectMail(rest, ".mbox") != "" {
		return formatMBOX
	}
	return ""
}

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
		return detectZip(src)
	case bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
		return detectOLE(src)
	case bytes.HasPrefix(head, []byte(`{\rtf`)):
		return formatRTF, within(src, maxTextFile)
	case isImage(head):
		return formatImage, nil
	case isCMS(head):
		return formatCMS, within(src, maxMember)
	case isPGP(head, src.name):
		return "", errEncrypted
	}
	if what := foreign(head); what != "" {
		return "", unsupported(what)
	}
	ext := strings.ToLower(filepath.Ext(src.name))
	mail := detectMail(head, ext) // whose parts may be anything
	if mail == "" && looksBinary(head) {
		return "", unsupported("it is not text and of no known kind")
	}
	if err := within(src, maxTextFile); err != nil || mail != "" {
		return mail, err
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
	if i := strings.Index(start[:min(len(start), 4096)], "<office:document"); i >= 0 && strings.HasPrefix(start, "<") {
		return openDocumentFormat([]byte(start[i:]))
	}
	// XHTML: a declaration and comments may stand first.
	if strings.HasPrefix(start, "<?xml") || strings.HasPrefix(start, "<!--") {
		if i := strings.Index(start, "<html"); i >= 0 && i < 4096 {
			return formatHTML
		}
	}
	switch {
	case strings.HasPrefix(start, "begin:vcalendar"):
		return formatICS
	case strings.HasPrefix(start, "begin:vcard"):
		return formatVCF
	case strings.HasPrefix(start, "<?xml"), strings.HasPrefix(start, "<svg"):
		return formatXML
	}
	switch ext {
	case ".xml", ".fb2", ".svg", ".rss", ".atom", ".opml", ".gpx", ".kml", ".ttml", ".dfxp", ".tmx", ".xlf", ".xliff", ".tei", ".dbk":
		if strings.HasPrefix(start, "<") {
			return formatXML
		}
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
	case ".tex", ".ltx", ".bib", ".bbl":
		return formatTeX
	}
	if strings.HasPrefix(start, "#!") || codeExtensions[ext] {
		return formatCode
	}
	return formatText
}

// detectZip tells documents that are archives of parts from archives of files.
func detectZip(src source) (format, error) {
	archive, err := zip.NewReader(src, src.size)
	if err != nil {
		return "", fmt.Errorf("the file is a damaged archive: %w", err)
	}
	has := func(prefix string) bool {
		return slices.ContainsFunc(archive.File, func(f *zip.File) bool {
			name := partName(f.Name)
			return len(name) >= len(prefix) && strings.EqualFold(name[:len(prefix)], prefix)
		})
	}
	found := formatZIP
	switch office := has("[Content_Types].xml"); {
	case office && has("word/"), has("word/document.xml"):
		found = formatDOCX
	case office && has("xl/"), has("xl/workbook.xml"):
		found = formatXLSX
	case office && has("ppt/"), has("ppt/presentation.xml"):
		found = formatPPTX
	case has("META-INF/container.xml"):
		found = formatEPUB
	case has("encrypted-package"):
		return "", ErrNeedsPassword // OpenDocument since 1.4
	case has("content.xml") && (has("mimetype") || has("META-INF/manifest.xml") || has("meta.xml")):
		found = openDocumentKind(archive)
	case office:
		return "", unsupported("it is an Office document of another kind than text, sheets and slides")
	case has("Index/Document.iwa"), has("Index.zip"), has("index.apxl"):
		return "", unsupported("it is a document of Apple's Pages, Numbers or Keynote; exported as a PDF or an Office document it is read")
	case has("META-INF/MANIFEST.MF"), has("AndroidManifest.xml"):
		return "", unsupported("it is a program")
	default:
		return formatZIP, nil
	}
	return found, within(src, maxBinaryFile)
}

// openDocumentKind reads what an OpenDocument file says it is, in its first part.
func openDocumentKind(archive *zip.Reader) format {
	var kind []byte
	if f, err := archive.Open("mimetype"); err == nil {
		kind, _ = io.ReadAll(io.LimitReader(f, 100))
		f.Close()
	}
	return openDocumentFormat(kind)
}

func openDocumentFormat(kind []byte) format {
	switch {
	case bytes.Contains(kind, []byte(".spreadsheet")):
		return formatODS
	case bytes.Contains(kind, []byte(".presentation")), bytes.Contains(kind, []byte(".graphics")):
		return formatODP
	}
	return formatODT
}

// foreign names, in words, what the first bytes show to be of a kind that is not read, and what can be done; "" for
// everything else.
func foreign(head []byte) string {
	for _, kind := range []struct{ sign, what string }{
		{"%!PS", "it is a PostScript file; a PDF of it would be read"},
		{"7z\xbc\xaf\x27\x1c", "it is a 7-Zip archive; its files are read when they are unpacked"},
		{"Rar!\x1a\x07", "it is a RAR archive; its files are read when they are unpacked"},
		{"\xfd7zXZ\x00", "it is an XZ archive; its files are read when they are unpacked"},
		{"\x28\xb5\x2f\xfd", "it is a Zstandard archive; its files are read when they are unpacked"},
		{"MSCF\x00\x00\x00\x00", "it is a cabinet; its files are read when they are unpacked"},
		{"!BDN", "it is an Outlook data file (PST, OST); its messages are read when they are exported as MBOX, EML or MSG files"},
		{"SQLite format 3\x00", "it is a database"},
		{"MZ", "it is a program"},
		{"\x7fELF", "it is a program"},
	} {
		if len(head) >= len(kind.sign)+2 && string(head[:len(kind.sign)]) == kind.sign && (len(kind.sign) > 2 || looksBinary(head)) {
			return kind.what
		}
	}
	mime, _, _ := strings.Cut(http.DetectContentType(head), ";")
	switch kind, _, _ := strings.Cut(mime, "/"); {
	case kind == "video":
		return "it is a video"
	case kind == "audio", mime == "application/ogg":
		return "it is a sound recording"
	case kind == "font":
		return "it is a font"
	}
	return ""
}

// isPGP knows files that PGP encrypted; where they are not written in letters, their names tell.
func isPGP(head []byte, name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".pgp", ".gpg":
		if looksBinary(head) {
			return true
		}
	}
	return bytes.HasPrefix(bytes.TrimLeft(head, "\ufeff \t\r\n"), []byte(pgpMessage))
}

// detectOLE tells apart what comes in a compound file: messages of Outlook, documents of Office before 2007, and newer
// ones that are encrypted.
func detectOLE(src source) (format, error) {
	c, err := openCompound(src)
	if err != nil {
		return "", err
	}
	switch {
	case c.has("EncryptedPackage"):
		return "", ErrNeedsPassword
	case c.has(mapiProperties):
		return formatMSG, within(src, maxMember)
	case c.has("WordDocument"):
		return formatDOC, within(src, maxMember)
	case c.has("Workbook"), c.has("Book"):
		return "", unsupported("it is a workbook of Excel before 2007 (.xls); saved as .xlsx it is read")
	case c.has("PowerPoint Document"):
		return "", unsupported("it is a presentation of PowerPoint before 2007 (.ppt); saved as .pptx it is read")
	}
	return "", unsupported("it is a compound file of another kind than documents and messages")
}

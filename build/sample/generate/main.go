// Command generate makes the DOCX and PDF files of the sample collection from the sources beside it.
// The plain text, Markdown and HTML files of the collection are their own sources. The results are
// committed, so that using the collection needs neither this program nor the browser that prints the
// PDF files: run it after changing a source, in build/sample.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	log.SetFlags(0)
	sources, err := filepath.Glob("source/*.md")
	if err != nil || len(sources) == 0 {
		log.Fatalf("no sources in %s: run this in build/sample", must(os.Getwd()))
	}
	for _, path := range sources {
		if err := generate(path); err != nil {
			log.Fatalf("%s: %v", path, err)
		}
	}
	log.Printf("%d files written", len(sources))
}

func generate(path string) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	src, err := parse(string(raw))
	if err != nil {
		return err
	}
	name := strings.TrimSuffix(filepath.Base(path), ".md")
	out := filepath.Join("docs", name)
	switch filepath.Ext(name) {
	case ".docx":
		return writeDOCX(out, src)
	case ".pdf":
		return printPDF(out, src)
	}
	return fmt.Errorf("the name must end in .docx.md or .pdf.md")
}

// source is a document in the little Markdown that the sources use.
type source struct {
	title, lang string
	blocks      []block
}

// block is a paragraph (level 0) or a heading.
type block struct {
	level int
	text  string
}

func (s source) rtl() bool { return s.lang != "en" }

func parse(raw string) (source, error) {
	head, body, ok := strings.Cut(strings.TrimPrefix(raw, "---\n"), "\n---\n")
	if !ok {
		return source{}, fmt.Errorf("there is no front matter")
	}
	var s source
	for line := range strings.Lines(head) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "title":
			s.title = value
		case "lang":
			s.lang = value
		default:
			return source{}, fmt.Errorf("unknown key %q", key)
		}
	}
	for para := range strings.SplitSeq(strings.TrimSpace(body), "\n\n") {
		text := strings.TrimLeft(para, "#")
		s.blocks = append(s.blocks, block{level: len(para) - len(text), text: strings.TrimSpace(text)})
	}
	return s, nil
}

// printPDF prints the document with a browser, the writer that most such files come from.
func printPDF(out string, s source) error {
	dir, err := os.MkdirTemp("", "sample")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	page := filepath.Join(dir, "page.html")
	if err := os.WriteFile(page, []byte(html(s)), 0o600); err != nil {
		return err
	}
	abs, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(context.Background(), "chromium", "--headless", "--no-sandbox", "--disable-gpu",
		"--no-first-run", "--disable-background-networking", "--user-data-dir="+filepath.Join(dir, "profile"),
		"--no-pdf-header-footer", "--print-to-pdf="+abs, "file://"+page)
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("chromium: %w: %s", err, output)
	}
	return nil
}

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

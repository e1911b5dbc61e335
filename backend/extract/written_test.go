package extract

import (
	"strings"
	"testing"

	"fanous/backend/domain"
)

func TestUnescape(t *testing.T) {
	for text, want := range map[string]string{
		`a=\u0633\u0644\u0627\u0645`: "a=سلام",
		`M\u00FCller \u{6A9}`:        "Müller ک",
		`\\u0633 \u0041 \u000a \u20`: `\\u0633 \u0041 \u000a \u20`,
		`\\\u0633`:                   `\\س`,
		`\ud83d\ude00 \u06F1`:        `\ud83d\ude00 ۱`,
		`C:\users`:                   `C:\users`,
	} {
		if got := unescape(text); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
	for _, name := range []string{"a.properties", "a.log"} { // programs and text
		if got := allText(readFile(t, name, `x \u0633\u0644\u0627\u0645`)); !strings.Contains(got, "سلام") {
			t.Errorf("%s is read as %q", name, got)
		}
	}
}

func TestTeX(t *testing.T) {
	for text, want := range map[string]string{
		`Schl\"ussel M{\"u}ller M\"{u}ller`: "Schlüssel Müller Müller",
		`na\"{\i}ve caf\'e \^Ile`:           "naïve café Île",
		`\c{c}a \v{S}koda Erd\H{o}s`:        "ça Škoda Erdős",
		`stra\ss{}e stra\ss e \O{}re`:       "straße straße Øre",
		`{G}erman \textbf{x} \label{ab}`:    `German \textbf{x} \label{ab}`,
		`\line \order`:                      `\line \order`,
	} {
		if got := fromTeX(text); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
	if got := allText(readFile(t, "a.bib", `title={Die K{\"u}ste}`)); !strings.Contains(got, "Küste") {
		t.Errorf("read as %q", got)
	}
}

func TestInvisibleText(t *testing.T) {
	src := source{ReaderAt: strings.NewReader("\u00a0\u200b\n\n\ufeff"), name: "a.txt", size: 12}
	if _, err := New(Options{}).extract(t.Context(), src, formatText); err == nil {
		t.Error("there is nothing to be seen, and it is text")
	}
}

func readFile(t *testing.T, name, text string) []domain.Block {
	t.Helper()
	src := source{ReaderAt: strings.NewReader(text), name: name, size: int64(len(text))}
	format, err := detect(src)
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(Options{}).extract(t.Context(), src, format)
	if err != nil {
		t.Fatal(err)
	}
	return c.Blocks
}

func allText(blocks []domain.Block) string {
	var b strings.Builder
	for _, x := range blocks {
		b.WriteString(x.Text + "\n")
	}
	return b.String()
}

package chunk

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"fanous/backend/domain"
)

func para(heading, text string) domain.Block {
	return domain.Block{Text: text, Place: domain.Place{Heading: heading}}
}

func head(level int, path string) domain.Block {
	steps := strings.Split(path, " › ")
	return domain.Block{Kind: domain.KindHeading, Level: level, Text: steps[len(steps)-1], Place: domain.Place{Heading: path}}
}

// show writes chunks one a line.
func show(chunks []domain.Chunk) string {
	var b strings.Builder
	for _, c := range chunks {
		fmt.Fprintf(&b, "[%s] %s\n", c.Place.Heading, strings.ReplaceAll(c.Text, "\n", "⏎"))
	}
	return b.String()
}

// words makes a sentence of n words.
func words(name string, n int) string {
	w := make([]string, n)
	for i := range w {
		w[i] = fmt.Sprint(name, i)
	}
	return strings.Join(w, " ") + "."
}

func TestSplit(t *testing.T) {
	page := func(b domain.Block, n int) domain.Block { b.Place.Page = n; return b }
	tests := []struct {
		name   string
		blocks []domain.Block
		opt    Options
		want   string
	}{
		{"nothing", nil, Options{}, ""},
		{"empty blocks", []domain.Block{para("", ""), para("", " \n"), head(1, " ")}, Options{}, ""},
		{"paragraphs are packed", []domain.Block{para("", "One."), para("", "Two."), para("", "Three.")}, Options{}, "[] One.⏎Two.⏎Three.\n"},
		{"never across a heading", []domain.Block{head(1, "A"), para("A", "One."), head(1, "B"), para("B", "Two.")}, Options{},
			"[A] A⏎One.\n[B] B⏎Two.\n"},
		{"headings downwards together", []domain.Block{head(1, "A"), head(2, "A › B"), para("A › B", "x"), head(2, "A › C"), para("A › C", "y")}, Options{},
			"[A › B] A⏎B⏎x\n[A › C] C⏎y\n"},
		{"headings side by side apart", []domain.Block{head(1, "A"), head(1, "B"), para("B", "x"), head(2, "B › C")}, Options{},
			"[A] A\n[B] B⏎x\n[B › C] C\n"},
		{"out of all headings", []domain.Block{head(1, "A"), para("A", "x"), para("", "footer")}, Options{}, "[A] A⏎x\n[] footer\n"},
		{"never across a page", []domain.Block{page(para("", "One."), 1), page(para("", "Two."), 2)}, Options{}, "[] One.\n[] Two.\n"},
		{"overlap", []domain.Block{para("", "A b c. D e f. G. H i j k. L m.")}, Options{MaxTokens: 7},
			"[] A b c. D e f. G.\n[] G. H i j k. L m.\n"},
		{"overlap of two", []domain.Block{para("", "A b. C. D. E f g h i j k. L.")}, Options{MaxTokens: 9, Overlap: 2},
			"[] A b. C. D.\n[] C. D. E f g h i j k.\n[] L.\n"},
		{"no overlap", []domain.Block{para("", "A b c. D e f. G. H i j k. L m.")}, Options{MaxTokens: 7, Overlap: -1},
			"[] A b c. D e f. G.\n[] H i j k. L m.\n"},
		{"no overlap across a heading", []domain.Block{head(1, "A"), para("A", "One."), head(1, "B"), para("B", "Two.")}, Options{MaxTokens: 3, Overlap: 3},
			"[A] A⏎One.\n[B] B⏎Two.\n"},
		{"a paragraph that fits stays whole", []domain.Block{para("", "A b c d e f."), para("", "G h. I j. K l.")}, Options{MaxTokens: 8, Overlap: -1},
			"[] A b c d e f.\n[] G h. I j. K l.\n"},
		{"a heading stays with its text", []domain.Block{head(1, "long heading of words"), para("long heading of words", "A b. C d. E f.")}, Options{MaxTokens: 6, Overlap: -1},
			"[long heading of words] long heading of words⏎A b.\n[long heading of words] C d. E f.\n"},
		{"a long sentence between words", []domain.Block{para("", "a b c d e f g")}, Options{MaxTokens: 3, Overlap: -1}, "[] a b c\n[] d e f\n[] g\n"},
		{"Persian, Arabic, Chinese sentences", []domain.Block{para("", "سلام دنیا. چطوری خوبی؟ بله ممنون۔ 你好。再见！")}, Options{MaxTokens: 2, Overlap: -1},
			"[] سلام دنیا.\n[] چطوری خوبی؟\n[] بله ممنون۔\n[] 你好。再见！\n"},
		{"wrapped lines are no sentences", []domain.Block{para("", "a b\nc d\ne f.")}, Options{MaxTokens: 4, Overlap: -1}, "[] a b⏎c d\n[] e f.\n"},
		{"lines of code", []domain.Block{{Kind: domain.KindCode, Text: "x = 1 .\n  y = 2\nz"}}, Options{MaxTokens: 4, Overlap: -1}, "[] x = 1 .\n[] y = 2⏎z\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := Split(test.blocks, test.opt)
			if show(got) != test.want {
				t.Errorf("got\n%swant\n%s", show(got), test.want)
			}
			for i, c := range got {
				if c.Ordinal != i {
					t.Errorf("chunk %d has ordinal %d", i, c.Ordinal)
				}
			}
		})
	}
}

func TestSplitPlaces(t *testing.T) {
	b := domain.Block{Text: "A b.\nC d.\n\nE f.", Place: domain.Place{Page: 3, Line: 10}}
	var got []domain.Place
	for _, c := range Split([]domain.Block{b}, Options{MaxTokens: 2, Overlap: -1}) {
		got = append(got, c.Place)
	}
	want := []domain.Place{{Page: 3, Line: 10}, {Page: 3, Line: 11}, {Page: 3, Line: 13}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A chunk of a sheet's rows carries the cells of all of them.
func TestSplitCells(t *testing.T) {
	row := func(text, cells string) domain.Block {
		return domain.Block{Kind: domain.KindTableRow, Text: text, Place: domain.Place{Heading: "Costs", Cells: cells}}
	}
	chunks := Split([]domain.Block{
		{Kind: domain.KindHeading, Level: 1, Text: "Costs", Place: domain.Place{Heading: "Costs"}},
		row("one two", "A1:D1"), row("three four", "B2:C2"), row("five six seven eight nine", "A3"),
	}, Options{MaxTokens: 5, Overlap: -1})
	var got []string
	for _, c := range chunks {
		got = append(got, c.Place.Cells)
	}
	if want := []string{"A1:D2", "A3"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestSplitCounts: counting is a call of a tokenizer, about one a sentence.
func TestSplitCounts(t *testing.T) {
	calls := 0
	count := func(text string) int { calls++; return len(strings.Fields(text)) }
	var blocks []domain.Block
	for range 100 {
		blocks = append(blocks, para("", strings.TrimSpace(strings.Repeat(words("W", 7)+" ", 10))))
	}
	Split(blocks, Options{MaxTokens: 50, Count: count})
	if calls != 1000 {
		t.Errorf("%d calls for 1000 sentences", calls)
	}
}

func TestSplitHuge(t *testing.T) {
	calls, bytes := 0, 0
	count := func(text string) int { calls++; bytes += len(text); return (len(text) + 2) / 3 }
	for name, text := range map[string]string{
		"word":      strings.Repeat("x", 1<<20),
		"sentence":  strings.Repeat("word ", 1<<18),
		"Chinese":   strings.Repeat("字", 1<<18),
		"emoji":     strings.Repeat("👩‍👩‍👧‍👦", 1<<14),
		"marks":     "a" + strings.Repeat("\u0301", 1<<18), // one grapheme cluster
		"spaces":    strings.Repeat(" ", 1<<20) + "x",
		"sentences": strings.Repeat("A b. ", 1<<17),
	} {
		calls, bytes = 0, 0
		got := Split([]domain.Block{para("", text)}, Options{Count: count, Overlap: -1})
		if bytes > 8*len(text) || calls > len(text)/2+10 {
			t.Errorf("%s: %d calls over %d bytes for %d bytes", name, calls, bytes, len(text))
		}
		check(t, []domain.Block{para("", text)}, got)
	}
}

// check holds chunks against what must be true of them without overlap.
func check(t *testing.T, blocks []domain.Block, chunks []domain.Chunk) {
	t.Helper()
	var in, out strings.Builder
	for _, b := range blocks {
		in.WriteString(b.Text)
	}
	for i, c := range chunks {
		out.WriteString(c.Text)
		if c.Ordinal != i {
			t.Errorf("ordinal %d, want %d", c.Ordinal, i)
		}
		if strings.TrimSpace(c.Text) != c.Text || c.Text == "" {
			t.Errorf("chunk %q", c.Text)
		}
	}
	if a, b := squeeze(in.String()), squeeze(out.String()); a != b {
		t.Fatalf("characters lost or turned around:\n in %.200q\nout %.200q", a, b)
	}
}

func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// document makes blocks at random: headings, pages, long and short paragraphs in several scripts.
func document(r *rand.Rand) []domain.Block {
	alphabet := []string{"a", "B", "é", "س", "ی\u200c", "字", "1", "👩‍👧", "مُ"}
	ends := []string{". ", "? ", "؟ ", "。", "\n", " ", "! ", "\n\n"}
	var blocks []domain.Block
	path, page := "", 1
	for range r.IntN(20) {
		var b strings.Builder
		for range r.IntN(60) {
			for range 1 + r.IntN(6) {
				b.WriteString(alphabet[r.IntN(len(alphabet))])
			}
			b.WriteString([]string{" ", " ", " ", ends[r.IntN(len(ends))]}[r.IntN(4)])
		}
		block := domain.Block{Text: b.String()}
		switch r.IntN(6) {
		case 0:
			block.Kind, block.Level = domain.KindHeading, 1+r.IntN(3)
			path = fmt.Sprintf("H%d", len(blocks))
		case 1:
			block.Kind = domain.KindCode
		case 2:
			page++
		}
		block.Place = domain.Place{Heading: path, Page: page}
		blocks = append(blocks, block)
	}
	return blocks
}

func TestSplitProperties(t *testing.T) {
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 1))
		blocks := document(r)
		opt := Options{MaxTokens: 1 + r.IntN(40), Overlap: -1}
		if r.IntN(2) == 0 {
			opt.Count = letters
		}
		chunks := Split(blocks, opt)
		check(t, blocks, chunks)
		if again := Split(blocks, opt); !reflect.DeepEqual(chunks, again) {
			t.Fatalf("seed %d: not the same twice", seed)
		}
		opt.Overlap = 1 + r.IntN(3)
		for _, cs := range [][]domain.Chunk{chunks, Split(blocks, opt)} {
			for _, c := range cs {
				n := opt.withDefaults().Count(c.Text)
				if n > opt.MaxTokens && uniseg.GraphemeClusterCount(c.Text) > 1 {
					t.Errorf("seed %d: %d tokens, at most %d: %q", seed, n, opt.MaxTokens, c.Text)
				}
				oneSection(t, blocks, c)
			}
		}
		overlapped(t, chunks, Split(blocks, opt))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// letters counts what a text has besides spaces.
func letters(text string) int { return utf8.RuneCountInString(squeeze(text)) }

// oneSection checks that all of a chunk stands under its heading and on its page.
func oneSection(t *testing.T, blocks []domain.Block, c domain.Chunk) {
	t.Helper()
	var section strings.Builder
	for _, b := range blocks {
		if b.Place.Page == c.Place.Page && (b.Place.Heading == c.Place.Heading || b.Kind == domain.KindHeading) {
			section.WriteString(b.Text)
		}
	}
	if !strings.Contains(squeeze(section.String()), squeeze(c.Text)) {
		t.Errorf("chunk of %+v is not of its section: %q", c.Place, c.Text)
	}
}

// overlapped checks that chunks with overlap hold all that those without do.
func overlapped(t *testing.T, without, with []domain.Chunk) {
	t.Helper()
	var all strings.Builder
	for _, c := range without {
		all.WriteString(squeeze(c.Text))
	}
	rest := all.String()
	for _, c := range with {
		text := squeeze(c.Text)
		// What a chunk repeats is a beginning of it; the rest must be what comes next.
		cut := 0
		for cut <= len(text) && !strings.HasPrefix(rest, text[cut:]) {
			cut++
		}
		if cut >= len(text) {
			t.Fatalf("chunk %q brings nothing new", c.Text)
		}
		rest = rest[len(text)-cut:]
	}
	if rest != "" {
		t.Fatalf("lost with overlap: %.100q", rest)
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("One. Two? سلام؟ 字。", 3, 1)
	f.Add("a\u0301\u0301 👩‍👧 \r\n\n", 1, 2)
	f.Fuzz(func(t *testing.T, text string, most, overlap int) {
		if !utf8.ValidString(text) {
			return
		}
		blocks := []domain.Block{para("", text), {Kind: domain.KindCode, Text: text}}
		opt := Options{MaxTokens: most % 50, Overlap: -1, Count: letters}
		check(t, blocks, Split(blocks, opt))
		opt.Overlap = overlap % 4
		Split(blocks, opt)
	})
}

// BenchmarkSplit gives the throughput of cutting, and how much of it is finding sentences.
func BenchmarkSplit(b *testing.B) {
	text := strings.Repeat("The keeper wrote down every ship that passed. نگهبان نام هر کشتی را می‌نوشت و هوای روز را. ", 12)
	var blocks []domain.Block
	for range 200 {
		blocks = append(blocks, para("", text))
	}
	b.SetBytes(int64(200 * len(text)))
	chunks := 0
	for b.Loop() {
		chunks = len(Split(blocks, Options{}))
	}
	b.ReportMetric(float64(chunks)*float64(b.N)/b.Elapsed().Seconds(), "chunks/s")
}

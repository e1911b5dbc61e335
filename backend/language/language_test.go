package language_test

import (
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"fanous/backend/language"
	"fanous/backend/language/languagetest"
)

func FuzzTerms(f *testing.F) {
	for _, c := range languagetest.Words() {
		f.Add(c.Doc)
	}
	for _, c := range languagetest.Odds() {
		if len(c.Query) < 1000 {
			f.Add(c.Query)
		}
	}
	for _, text := range []string{
		"שהו\"ה#", "gaZבXb\"ם", `"לה\"ל לל"לם`, // the Hebrew mark of an acronym beside a sign, within a name, beside a phrase
		"ي\u0654ییاي\u0654 ی", // a hamza that is typed apart, before a stem is taken
	} {
		f.Add(text)
	}
	x := newIndex(f)
	f.Fuzz(func(t *testing.T, text string) { checkTerms(t, x, text) })
}

// TestTermsOfRandomText tries the same on what stands beside one another in real text, which a fuzzer seldom puts together.
func TestTermsOfRandomText(t *testing.T) {
	x := newIndex(t)
	r := rand.New(rand.NewPCG(6, 2))
	for range 6_000 {
		if checkTerms(t, x, randomText(r)); t.Failed() {
			return
		}
	}
}

func checkTerms(t *testing.T, x index, text string) {
	t.Helper()
	var texts []string
	for _, w := range language.Terms(text) {
		checkTerm(t, w.Text)
		if w.Start < 0 || w.End <= w.Start || w.End > len(text) || !onBoundary(text, w.Start) || !onBoundary(text, w.End) {
			t.Fatalf("%q stands for %d to %d of %q", w.Text, w.Start, w.End, text)
		}
		texts = append(texts, w.Text)
	}
	if got, want := string(language.AppendTerms([]byte("> "), text)), "> "+strings.Join(texts, " "); got != want {
		t.Fatalf("appended %q, listed %q", got, want)
	}
	if got, tongue := language.AppendPassage([]byte("> "), text); string(got) != "> "+strings.Join(texts, " ") || tongue != language.Detect(text) {
		t.Fatalf("as a passage %q is %q in %q", text, got, tongue)
	}
	if utf8.ValidString(text) {
		composed := string(language.AppendTerms(nil, norm.NFC.String(text)))
		if got := string(language.AppendTerms(nil, norm.NFD.String(text))); got != composed {
			t.Errorf("%+q: composed %q, decomposed %q", text, composed, got)
		}
	}
	// What a document says finds it.
	if q := language.ParseQuery(text); !q.Empty() && len(q.Terms()) < 50 {
		if _, err := x.db.Exec("DELETE FROM t"); err != nil {
			t.Fatal(err)
		}
		if _, err := x.db.Exec("INSERT INTO t(rowid, body) VALUES (1, ?)", string(language.AppendTerms(nil, text))); err != nil {
			t.Fatal(err)
		}
		if len(x.search(t, q)) == 0 && !strings.Contains(text, "-") {
			t.Errorf("%q does not find itself: %s in %q", text, q.Match(nil), texts)
		}
	}
}

// TestComposition: whether a character comes with its marks composed or apart makes no difference.
func TestComposition(t *testing.T) {
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		composed := string(r)
		apart := norm.NFD.String(composed)
		if apart == composed || !utf8.ValidRune(r) {
			continue
		}
		for _, around := range []string{"%s", "a%sb", "م%sم", "中%s中", " %s "} {
			want := string(language.AppendTerms(nil, strings.Replace(around, "%s", composed, 1)))
			got := string(language.AppendTerms(nil, strings.Replace(around, "%s", apart, 1)))
			if got != want {
				t.Errorf("%q of %U gives %q composed, %q apart", around, r, want, got)
			}
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	cases := languagetest.Words()
	want := make([]string, len(cases))
	for i, c := range cases {
		want[i] = string(language.AppendTerms(nil, c.Doc))
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i, c := range cases {
				if got := string(language.AppendTerms(nil, c.Doc)); got != want[i] {
					t.Errorf("%q gives %q, then %q", c.Doc, want[i], got)
				}
			}
		})
	}
	wg.Wait()
}

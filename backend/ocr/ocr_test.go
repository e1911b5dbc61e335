package ocr

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"fanous/backend/domain"
)

// fakeEnv makes this test program a fake Tesseract that behaves as the variable says.
const fakeEnv = "FANOUS_FAKE_TESSERACT"

func TestMain(m *testing.M) {
	if how, ok := os.LookupEnv(fakeEnv); ok {
		fake(how)
		return
	}
	os.Exit(m.Run())
}

func fake(how string) {
	switch {
	case os.Args[1] == "--version":
		fmt.Println("tesseract 9.9.9\n leptonica")
		return
	case os.Args[1] == "--list-langs":
		fmt.Println("List of available languages (3):\nosd\nfas\neng\n../evil\nscript/Arabic")
		return
	}
	switch how {
	case "answers":
		header, _ := bufio.NewReader(os.Stdin).ReadString('\n')
		fmt.Print(table("5 1 1 1 1 1 0 0 10 10 90 "+strings.TrimSpace(header), "5 1 1 1 1 2 0 0 10 10 90 "+strings.Join(os.Args[1:], ",")))
	case "never ends":
		time.Sleep(time.Hour)
	case "writes without end":
		for {
			fmt.Println(strings.Repeat("x", 1000))
		}
	case "fails":
		fmt.Fprintln(os.Stderr, "Error in a library\nthe page is beyond me")
		os.Exit(1)
	case "ends at once": // and reads nothing
	}
}

func fakeProgram(t *testing.T, how string) *Program {
	t.Helper()
	t.Setenv(fakeEnv, how)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p, err := Find(t.Context(), self)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// table is what the program writes; the spaces of a row part its first eleven columns.
func table(rows ...string) string {
	out := "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"
	for _, r := range rows {
		out += strings.Replace(r, " ", "\t", numColumns-1) + "\n"
	}
	return out
}

func TestFind(t *testing.T) {
	p := fakeProgram(t, "answers")
	if p.Version() != "9.9.9" || !slices.Equal(p.Languages(), []string{"eng", "fas"}) {
		t.Errorf("%q %q", p.Version(), p.Languages())
	}
	missing, hint := p.Missing("linux")
	if !slices.Equal(missing, []string{"ara"}) || !strings.Contains(hint, "tesseract-ocr-ara") || strings.Contains(hint, "fas") {
		t.Errorf("missing %q, hint %q", missing, hint)
	}
	_, err := Find(t.Context(), "/there/is/none")
	if domain.CodeOf(err) != domain.CodeOCRMissing || domain.HintOf(err) == "" {
		t.Errorf("%v", err)
	}
	for goos, want := range map[string]string{"windows": `P\Tesseract-OCR\tesseract.exe`, "darwin": "/opt/homebrew/bin/tesseract", "linux": "/usr/bin/tesseract"} {
		got := usual(goos, func(name string) string { return map[string]string{"ProgramFiles": "P"}[name] })
		if i := slices.IndexFunc(got, func(s string) bool { return strings.ReplaceAll(s, "/", `\`) == strings.ReplaceAll(want, "/", `\`) }); i < 0 {
			t.Errorf("%s: %q", goos, got)
		}
	}
}

func TestRead(t *testing.T) {
	p := fakeProgram(t, "answers")
	page, err := p.Read(t.Context(), image.NewGray(image.Rect(5, 5, 45, 25)), []string{"fa"})
	if err != nil {
		t.Fatal(err)
	}
	want := "P5 stdin,stdout,-l,fas+eng,--psm,3,--dpi,300,tsv"
	if b := page.Blocks(7); len(b) != 1 || b[0].Text != want || b[0].Place.Page != 7 || b[0].OCR < 0.89 {
		t.Errorf("%+v", b)
	}
}

// TestReadFails: whatever the program does, the call ends and says what happened.
func TestReadFails(t *testing.T) {
	for _, test := range []struct {
		how  string
		want error
		says string
	}{
		{"never ends", ErrTooSlow, ""},
		{"writes without end", ErrFailed, "MB"},
		{"fails", ErrFailed, "the page is beyond me"},
		{"ends at once", ErrFailed, "no table"},
	} {
		t.Run(test.how, func(t *testing.T) {
			p := fakeProgram(t, test.how)
			p.limits.output = 1 << 20
			if test.want == ErrTooSlow {
				p.limits.time = time.Second
			}
			_, err := p.Read(t.Context(), image.NewGray(image.Rect(0, 0, 2000, 2000)), nil)
			if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("%v", err)
			}
		})
	}
	p := fakeProgram(t, "never ends")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Read(ctx, image.NewGray(image.Rect(0, 0, 9, 9)), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := p.Read(t.Context(), &image.Gray{Rect: image.Rect(0, 0, 1<<20, 1<<20)}, nil); !errors.Is(err, ErrFailed) {
		t.Errorf("huge: %v", err)
	}
}

func TestParse(t *testing.T) {
	page, err := parse([]byte(table(
		"4 1 1 1 1 0 0 0 200 20 -1 ",
		"5 1 1 1 1 1 150 0 50 20 90 نسخهٔ",
		"5 1 1 1 1 2 100 0 40 20 80 SQLite\u200f",
		"5 1 1 1 1 3 90 0 5 20 20 |", // dirt
		"5 1 1 1 2 1 150 30 50 20 90 light-",
		"5 1 1 1 3 1 150 60 50 20 90 house  keeper",
		"5 1 2 1 1 1 0 100 9999 -5 11 نويز", // a smudge
		"5 1 3 1 1 1 0 150 20 20 96 12-",
		"5 1 3 1 2 1 0 150 20 20 96 24",
		"5 1 3 1 2 2 0 x 20 20 96 lost",
	)), 200, 200)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range page.Blocks(0) {
		got = append(got, b.Text)
	}
	if want := []string{"نسخهٔ SQLite lighthouse  keeper", "12- 24"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if p := page.Placed()[0]; p.Text != "نسخهٔ" || p.Box != (domain.Box{X: 0.75, Y: 0, W: 0.25, H: 0.1}) {
		t.Errorf("%+v", p)
	}
	if _, err := parse([]byte("hello\n"), 1, 1); !errors.Is(err, ErrFailed) {
		t.Errorf("no table: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(table("5 1 1 1 1 1 150 0 50 20 90 سلام"))
	f.Fuzz(func(t *testing.T, text string) {
		page, err := parse([]byte(text), 100, 100)
		for _, b := range page.Blocks(1) {
			if err != nil || b.Text == "" || !(b.OCR > 0 && b.OCR <= 1) {
				t.Errorf("%v %+v", err, b)
			}
		}
		for _, p := range page.Placed() {
			for _, v := range []float64{p.Box.X, p.Box.Y, p.Box.W, p.Box.H} {
				if !(v >= 0 && v <= 1) {
					t.Errorf("%+v", p)
				}
			}
		}
	})
}

func TestChoose(t *testing.T) {
	all := []string{"ara", "chi_sim", "chi_tra", "deu", "eng", "fas", "kur_ara", "rus"}
	for _, test := range []struct {
		installed, beside, want []string
	}{
		{all, nil, []string{"fas", "ara", "eng"}},
		{all, []string{"en", "fa"}, []string{"eng", "fas", "ara"}},
		{all, []string{"de-AT", "ckb"}, []string{"deu", "kur_ara", "fas", "ara"}},
		{all, []string{"zh-Hant"}, []string{"chi_sim", "chi_tra", "fas", "ara"}},
		{[]string{"eng"}, []string{"fa"}, []string{"eng"}},
		{[]string{"nld"}, []string{"fa"}, []string{"nld"}},
	} {
		if got := choose(test.installed, test.beside); !slices.Equal(got, test.want) {
			t.Errorf("%q beside %q: %q, want %q", test.installed, test.beside, got, test.want)
		}
	}
}

// TestTesseract reads testdata/scan.png, which Chromium drew from the page beside it, with the real program.
func TestTesseract(t *testing.T) {
	p, err := Find(t.Context(), "")
	if err != nil {
		t.Skip(err)
	}
	if missing, hint := p.Missing("linux"); len(missing) > 0 {
		t.Skipf("languages %q are missing: %s", missing, hint)
	}
	page, err := p.Read(t.Context(), picture(t, "testdata/scan.png"), nil)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, b := range page.Blocks(1) {
		t.Logf("%.2f %s", b.OCR, b.Text)
		texts = append(texts, b.Text)
	}
	text := strings.Join(texts, "\n")
	for _, phrase := range []string{"گزارش بازرسی پل در سال", "SQLite روی رایانه", "نصب شده بود", "استهلاك المياه في المدينة",
		"The harbour committee met on 14 March", "lighthouse keeper"} {
		if !strings.Contains(text, phrase) {
			t.Errorf("%q was not read", phrase)
		}
	}
	// The first word of a line that runs to the left stands at its right end.
	if first := page.Placed()[0]; first.Text != "گزارش" || first.Box.X < 0.7 || first.Box.Y > 0.2 {
		t.Errorf("%+v", first)
	}
	for _, b := range page.Blocks(1) {
		if b.OCR < 0.6 {
			t.Errorf("confidence %.2f of %q", b.OCR, b.Text)
		}
	}
}

func picture(t testing.TB, path string) *image.Gray {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := png.Decode(io.Reader(f))
	if err != nil {
		t.Fatal(err)
	}
	gray := image.NewGray(m.Bounds())
	draw.Draw(gray, gray.Bounds(), m, m.Bounds().Min, draw.Src)
	return gray
}

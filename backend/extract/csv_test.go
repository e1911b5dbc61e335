package extract

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	xunicode "golang.org/x/text/encoding/unicode"
)

func TestCSV(t *testing.T) {
	const want = "1: Name | City\n2: Ali | Shiraz\n3: Sara, the second | Yazd and around\n6: Zoe | Rome\n"
	const commas = "Name,City\nAli,Shiraz\n\"Sara, the second\",\"Yazd\nand around\"\n\nZoe,Rome\n"
	tests := []struct{ name, text, want string }{
		{"commas", commas, want},
		{"carriage returns", strings.ReplaceAll(commas, "\n", "\r\n"), want},
		{"semicolons, decimal commas", "Item;Cost\nPump;12,50\nPipe;3,20\n", "1: Item | Cost\n2: Pump | 12,50\n3: Pipe | 3,20\n"},
		{"tabs", "a\tb\n1, 2\t3\n4, 5\t6", "1: a | b\n2: 1, 2 | 3\n3: 4, 5 | 6\n"},
		{"bars", "a|b\n1|2", "1: a | b\n2: 1 | 2\n"},
		{"the separator said", "sep=;\na;b\n1;2,2", "2: a | b\n3: 1 | 2,2\n"},
		{"quotes inside", "a,b\n\"he said \"\"yes\"\"\",2\nloose \"quote,3", "1: a | b\n2: he said \"yes\" | 2\n3: loose \"quote | 3\n"},
		{"no names", "1,2\n3,4\n", "1: 1 | 2\n2: 3 | 4\n"},
		{"empty fields", "a,b,c\n1,,3\n,2,\n", "1: a | b | c\n2: 1 |  | 3\n3:  | 2\n"},
		{"Persian", "نام،\u200cها;شهر\nعلی;شیراز\n", "1: نام،\u200cها | شهر\n2: علی | شیراز\n"},
		{"no table", "one line\n\nanother, with a comma\nthird\n", "1: one line\n3: another, with a comma⏎third\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := readCSV(context.Background(), decodeText([]byte(test.text)))
			if err != nil {
				t.Fatal(err)
			}
			if got := linesOf(c.Blocks); got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
		})
	}
	c, err := readCSV(context.Background(), "Item;Cost\nPump;12\n")
	if got := outlineOf(c.Blocks); err != nil || got != "h1 [Item | Cost] Item | Cost\ntr [Item | Cost] Pump | 12\n" {
		t.Errorf("%s %v", got, err)
	}
}

func TestCSVEncodings(t *testing.T) {
	const text = "نام;شهر\nعلی;شيراز\n"
	arabic, err := charmap.Windows1256.NewEncoder().String(strings.ReplaceAll(text, "ی", "ي"))
	if err != nil {
		t.Fatal(err)
	}
	wide, err := xunicode.UTF16(xunicode.LittleEndian, xunicode.UseBOM).NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{"windows-1256": arabic, "UTF-16": wide, "UTF-8 with a mark": "\ufeff" + text} {
		c, err := readCSV(context.Background(), decodeText([]byte(data)))
		if got := outlineOf(c.Blocks); err != nil || !strings.HasPrefix(got, "h1 [نام | شهر] نام | شهر\ntr [نام | شهر] عل") {
			t.Errorf("%s: %s %v", name, got, err)
		}
	}
}

func TestCSVHostile(t *testing.T) {
	for name, text := range map[string]string{
		"an open quote":       "a,b\n1,2\n\"" + strings.Repeat("x,y\n", 200_000),
		"one endless row":     "a,b\n" + strings.Repeat("1,", 1_000_000),
		"nothing but quotes":  strings.Repeat("\"", 1_000_001),
		"nothing but commas":  strings.Repeat(",", 1_000_000),
		"one line of a fault": "a,b\n\xff,\x00\n",
	} {
		if _, err := readCSV(context.Background(), decodeText([]byte(text))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := readCSV(ctx, "a,b\n1,2\n"); err == nil {
		t.Error("a canceled reading went on")
	}
}

func FuzzCSV(f *testing.F) {
	f.Add("a,b\n1,2\n")
	f.Add("sep=\t\na\tb\n\"x\n\"\ty")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := readCSV(context.Background(), decodeText([]byte(text)))
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range c.Blocks {
			if b.Text == "" || !utf8.ValidString(b.Text) || b.Place.Line < 1 {
				t.Errorf("block %+v", b)
			}
		}
	})
}

package extract

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestJSON(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"an object", "{\n \"name\": \"Ali\",\n \"age\": 12,\n \"ok\": true, \"no\": null\n}", "2: name: Ali\n3: age: 12\n4: ok: true\n"},
		{"a list of objects", "[\n{\"a\": 1, \"b\": {\"c\": \"x\", \"d\": [1, 2]}},\n{\"a\": 2}\n]", "2: a: 1⏎b:⏎c: x⏎d:⏎1⏎2\n3: a: 2\n"},
		{"a value a line", "{\"m\": \"one\", \"n\": 1}\n{\"m\": \"two\"}\n", "1: m: one\n1: n: 1\n2: m: two\n"},
		{"escapes", `["\u0633\u0644\u0627\u0645", "a\nb", 1.50, 123456789012345678901]`, "1: سلام\n1: a⏎b\n1: 1.50\n1: 123456789012345678901\n"},
		{"bytes as characters", `["\u00d8\u00b3\u00d9\u0084\u00d8\u00a7\u00d9\u0085", "caf\u00e9 \u00c3"]`, "1: سلام\n1: café Ã\n"},
		{"broken off", "{\"a\": \"x\",\n\"b\": \"y", "1: {\"a\": \"x\",⏎\"b\": \"y\n"},
		{"no JSON", "just words", "1: just words\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := readJSON(context.Background(), test.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := linesOf(c.Blocks); got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
		})
	}
	long := "[[" + strings.TrimSuffix(strings.Repeat("1,\n", 100), ",\n") + "]]"
	if c, err := readJSON(context.Background(), long); err != nil || len(c.Blocks) != 3 || c.Blocks[1].Place.Line != jsonLines+1 {
		t.Errorf("a long list: %d blocks, %v", len(c.Blocks), err)
	}
}

func TestJSONHostile(t *testing.T) {
	const n = 200_000
	for name, text := range map[string]string{
		"lists":           strings.Repeat("[", n) + `"deep"` + strings.Repeat("]", n),
		"objects":         strings.Repeat(`{"a":`, n) + `"deep"` + strings.Repeat("}", n),
		"lists half":      strings.Repeat("[", n) + `"deep"`,
		"a mark too many": `"deep"]}`,
	} {
		c, err := readJSON(context.Background(), text)
		if err != nil || !strings.Contains(linesOf(c.Blocks), "deep") {
			t.Errorf("%s: %v, %d blocks", name, err, len(c.Blocks))
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := readJSON(ctx, "[1]"); err == nil {
		t.Error("a canceled reading went on")
	}
}

func FuzzJSON(f *testing.F) {
	f.Add(`{"a": [1, {"b": "c"}]}` + "\n[2]")
	f.Add(`[1,,2]`)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := readJSON(context.Background(), decodeText([]byte(text)))
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

func TestCode(t *testing.T) {
	c, err := readCode(context.Background(), "#!/bin/sh\n# says so\n\nif x; then\n\techo سلام   \nfi\n")
	if err != nil || linesOf(c.Blocks) != "1: #!/bin/sh⏎# says so\n4: if x; then⏎\techo سلام⏎fi\n" {
		t.Errorf("%s %v", linesOf(c.Blocks), err)
	}
	for name, want := range map[string]format{".py": formatCode, ".txt": formatText, "": formatText, ".go": formatCode, ".json": formatJSON} {
		if got := detectText([]byte("x = 1\n"), name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if got := detectText([]byte("#!/usr/bin/env python\n"), ""); got != formatCode {
		t.Errorf("a program without extension: %s", got)
	}
	c, _ = readCode(context.Background(), strings.Repeat("line\n", 2*maxTextLines))
	if len(c.Blocks) != 2 || c.Blocks[1].Place.Line != maxTextLines+1 {
		t.Errorf("a program without empty lines gave %d blocks", len(c.Blocks))
	}
}

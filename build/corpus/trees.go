package corpus

import (
	"os"
	"strings"

	"fanous/backend/domain"
)

// trees writes a folder as folders are: the same content under several paths, names that look alike, links that lead back
// or nowhere, a path of three thousand bytes, and what is to be left out.
func (m *maker) trees() error {
	found := func(word string) []Sought { return []Sought{{Query: word, Marked: []string{word}}} }
	for _, f := range []struct{ name, text, word string }{
		{"trees/a/copy.txt", "The chaffinch stands in three copies.", "chaffinch"},
		{"trees/b/copy.txt", "The chaffinch stands in three copies.", "chaffinch"},
		{"trees/b/another name.txt", "The chaffinch stands in three copies.", "chaffinch"},
		{"trees/caf\u00e9.txt", "A brambling in a composed name.", "brambling"},
		{"trees/cafe\u0301.txt", "A crossbill in a name with its mark apart.", "crossbill"},
		{"trees/گزارش نهایی ۱۴۰۲.txt", "A goldfinch in a Persian name.", "goldfinch"},
		{"trees/" + strings.Repeat(strings.Repeat("n", 199)+"/", 15) + "deep.txt", "A hawfinch deep down.", "hawfinch"},
	} {
		if err := m.put(File{Name: f.name, Sought: found(f.word)}, []byte(f.text)); err != nil {
			return err
		}
	}
	for name, text := range map[string]string{".fanousignore": "*.log\n", "noise.log": "left out", ".hidden.txt": "left out", "node_modules/x.txt": "left out"} {
		if err := m.write("trees/"+name, []byte(text)); err != nil {
			return err
		}
	}
	gone := File{Name: "trees/a/gone.txt", State: domain.StateFailed}
	m.expect(gone)
	if err := os.Symlink("nowhere", m.path(gone.Name)); err != nil {
		return err
	}
	return os.Symlink("..", m.path("trees/a/up"))
}

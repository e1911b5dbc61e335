package domain

import "testing"

func TestCells(t *testing.T) {
	for _, s := range []string{"A1", "A2:D40", "Z1:AA1", "XFD1048576", "AAA7:ZZZ9"} {
		if got := ParseCells(s).String(); got != s {
			t.Errorf("%s became %s", s, got)
		}
	}
	for _, s := range []string{"", "A", "1", "A0", "A1:", "A1:B", "A1-B2", "A1:B2:C3", "A99999999999", "ABCDEFGH1", "خ۱"} {
		if got := ParseCells(s); got != (Cells{}) {
			t.Errorf("%q became %+v", s, got)
		}
	}
}

func TestCellsUnion(t *testing.T) {
	for _, test := range []struct{ a, b, want string }{
		{"A1:D1", "A2:B2", "A1:D2"},
		{"B2", "A1:C1", "A1:C2"},
		{"", "B2", "B2"},
		{"B2", "", "B2"},
		{"", "", ""},
	} {
		if got := ParseCells(test.a).Union(ParseCells(test.b)).String(); got != test.want {
			t.Errorf("%s and %s: %s, want %s", test.a, test.b, got, test.want)
		}
	}
}

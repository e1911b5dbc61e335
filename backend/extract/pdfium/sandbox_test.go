package pdfium

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestAFaultEndsTheCall: pdfium reads outside of its memory, which ends the call and nothing else; and a fault of Go's own
// is still Go's.
func TestAFaultEndsTheCall(t *testing.T) {
	l, err := Load(256 << 20)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	data, err := os.ReadFile("../testdata/persian.pdf")
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		d, err := l.Open(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		const nowhere = 0xffff_fff0
		if n, err := d.s.call("FPDF_GetPageCount", nowhere); err == nil || !strings.Contains(err.Error(), "out of bounds") {
			t.Error(n, err)
		}
		if _, err := d.s.memory(nowhere, 100); err == nil {
			t.Error("there is memory outside of the memory")
		}
		if _, err := d.s.call("system"); err == nil {
			t.Error("pdfium has a function that it has not")
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Error("nothing was wrong with nothing")
				}
			}()
			var none *Character
			none.Unicode++
		}()
		d.Close()
	}
}

package extract

import (
	"encoding/binary"
	"strings"
	"testing"
)

// tnef makes a stream of attributes and their values in turn.
func tnef(parts ...any) []byte {
	out := []byte(tnefSign + "\x01\x00")
	for i := 0; i < len(parts); i += 2 {
		value := parts[i+1].(string)
		out = append(out, 2)
		out = binary.LittleEndian.AppendUint16(out, uint16(parts[i].(int)))
		out = binary.LittleEndian.AppendUint16(out, 1)
		out = binary.LittleEndian.AppendUint32(out, uint32(len(value)))
		out = append(append(out, value...), 0, 0)
	}
	return out
}

func TestTNEF(t *testing.T) {
	data := tnef(0x9006, "\x00\x00\x01\x00", tnefBegin, "x", tnefTitle, "plan.csv\x00", tnefData, "ship,tons\nTern,7\n",
		tnefBegin, "x", tnefTitle, "..\\"+arabic1256(t, "نامه")+".txt\x00", tnefData, "a letter", tnefBegin, "x", tnefData, "without a name")
	want := "plan.csv (csv, indexed)\nh1 [ship | tons] ship | tons\ntr [ship | tons] Tern | 7\nنامه.txt (text, indexed)\np [] a letter\nattachment (text, indexed)\np [] without a name\n(tnef, container) it holds 3 files\n"
	if got := listOf(readAll(t, "winmail.dat", data)); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	letter := "Subject: s\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nthe text\n--b\nContent-Type: application/ms-tnef\nContent-Disposition: attachment; filename=winmail.dat\n\n" + string(data[:60]) + "\n--b--\n"
	if got := listOf(readAll(t, "a.eml", []byte(letter))); !strings.Contains(got, "winmail.dat (tnef, ") {
		t.Errorf("in a message: %s", got)
	}
	for cut := range data {
		readAll(t, "winmail.dat", data[:cut])
	}
	huge := tnef(tnefTitle, "a.txt", tnefData, "x")
	binary.LittleEndian.PutUint32(huge[len(huge)-7:], 0xffffffff)
	if got := listOf(readAll(t, "winmail.dat", huge)); !strings.Contains(got, "a.txt (text, indexed)") {
		t.Errorf("a size that is only claimed: %s", got)
	}
}

package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fanous/backend/domain"
)

func send(t *testing.T, l *Ledger, query string) func(Outcome) error {
	t.Helper()
	ended, err := l.Sending(t.Context(), Request{
		Search: "s-" + query, Collections: []string{"papers"}, Policy: domain.PolicyAllowed, By: domain.ByPolicy, Host: "cohere.invalid",
		Model: "m", Body: []byte("body of " + query), Query: query, Passages: []string{"one", "two"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return ended
}

func list(t *testing.T, l *Ledger, f domain.LedgerFilter) []domain.LedgerRecord {
	t.Helper()
	records, err := l.List(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	return records
}

func whole(t *testing.T, l *Ledger, entries int64) {
	t.Helper()
	s, err := l.Verify(t.Context())
	if err != nil || len(s.Faults) > 0 || s.Problem != "" || s.Entries != entries {
		t.Fatalf("%+v, %v; want %d entries", s, err, entries)
	}
}

func TestASendingIsOnTheDiskBeforeItLeavesAndItsEndAfter(t *testing.T) {
	l := Open(t.TempDir(), false)
	ended := send(t, l, "lantern")
	r := list(t, l, domain.LedgerFilter{})
	if len(r) != 1 || r[0].Kind != domain.LedgerSent || r[0].Ended != nil {
		t.Fatalf("%+v", r)
	}
	if r[0].Body != Digest([]byte("body of lantern")) || r[0].Query != Digest([]byte("lantern")) || r[0].Passages[1] != Digest([]byte("two")) || r[0].Bytes != 15 {
		t.Errorf("%+v", r[0])
	}
	if err := ended(Outcome{Code: "ok", Status: 200}); err != nil {
		t.Fatal(err)
	}
	if r := list(t, l, domain.LedgerFilter{}); len(r) != 1 || r[0].Ended == nil || r[0].Ended.Status != 200 || r[0].Ended.Of != 1 {
		t.Errorf("%+v", r)
	}
	whole(t, l, 2)
	data, err := os.ReadFile(l.Path())
	if err != nil || bytes.Contains(data, []byte(`"lantern"`)) || bytes.Contains(data, []byte("two")) {
		t.Errorf("a text is in it: %s, %v", data, err)
	}
}

func TestTextsAreKeptWhereTheyAreWanted(t *testing.T) {
	l := Open(t.TempDir(), true)
	send(t, l, "lantern")
	if r := list(t, l, domain.LedgerFilter{}); r[0].QueryText != "lantern" || strings.Join(r[0].PassageTexts, " ") != "one two" {
		t.Errorf("%+v", r[0])
	}
}

// TestSeveralWriters: each as another process is, with nothing shared but the folder.
func TestSeveralWriters(t *testing.T) {
	const writers, each = 4, 10
	dir := t.TempDir()
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			l := Open(dir, false)
			for i := range each {
				if err := l.Refused(t.Context(), Request{Query: fmt.Sprint(w, i)}, "policy"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	whole(t, Open(dir, false), writers*each)
}

func TestFilters(t *testing.T) {
	l := Open(t.TempDir(), false)
	for i := range 5 {
		if err := send(t, l, fmt.Sprint(i))(Outcome{Code: "ok"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Refused(t.Context(), Request{Search: "kept", Collections: []string{"secret"}, Policy: domain.PolicyNever}, "policy"); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		filter domain.LedgerFilter
		want   string
	}{
		{domain.LedgerFilter{}, "11 9 7 5 3 1"},
		{domain.LedgerFilter{Collection: "secret"}, "11"},
		{domain.LedgerFilter{Collection: "nobody's"}, ""},
		{domain.LedgerFilter{Kind: domain.LedgerSent, Limit: 2}, "9 7"},
		{domain.LedgerFilter{Kind: domain.LedgerSent, Limit: 2, Before: 7}, "5 3"},
		{domain.LedgerFilter{Kind: domain.LedgerEnded}, "10 8 6 4 2"},
		{domain.LedgerFilter{Search: "s-3"}, "7"},
		{domain.LedgerFilter{Since: time.Now().Add(time.Hour)}, ""},
		{domain.LedgerFilter{Until: time.Now().Add(-time.Hour)}, ""},
		{domain.LedgerFilter{Text: "SECR"}, "11"},
		{domain.LedgerFilter{Text: "cohere.inv", Limit: 1}, "9"},
		{domain.LedgerFilter{Text: "s-3"}, ""}, // no name of a search
		{domain.LedgerFilter{Failed: true}, ""},
	} {
		var got []string
		for _, r := range list(t, l, tt.filter) {
			got = append(got, fmt.Sprint(r.N))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%+v: %v, want %s", tt.filter, got, tt.want)
		}
	}
	var copied bytes.Buffer
	n, err := l.Export(t.Context(), &copied, domain.LedgerFilter{})
	data, _ := os.ReadFile(l.Path())
	if err != nil || n != 11 || !bytes.Equal(copied.Bytes(), data) {
		t.Errorf("%d, %v, equal: %v", n, err, bytes.Equal(copied.Bytes(), data))
	}
}

func TestSendingsThatDidNotEndWell(t *testing.T) {
	l := Open(t.TempDir(), false)
	for i, code := range []string{"ok", "deadline", ""} { // of the last nothing more is heard
		ended := send(t, l, fmt.Sprint(i))
		if code == "" {
			continue
		}
		if err := ended(Outcome{Code: code}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Refused(t.Context(), Request{Collections: []string{"secret"}, Policy: domain.PolicyNever}, "policy"); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range list(t, l, domain.LedgerFilter{Failed: true}) {
		got = append(got, fmt.Sprint(r.N))
	}
	if strings.Join(got, " ") != "5 3" {
		t.Errorf("%v, want 5 and 3", got)
	}
}

// TestAListReachesOverTheBlocks that the file is read in.
func TestAListReachesOverTheBlocks(t *testing.T) {
	l, _ := madeUp(t, 3000)
	r := list(t, l, domain.LedgerFilter{})
	if len(r) != 3000 || r[0].N != 3000 || r[2999].N != 1 {
		t.Errorf("%d entries", len(r))
	}
}

// TestWhatACrashLeaves behind is tidied up, and is no fault.
func TestWhatACrashLeaves(t *testing.T) {
	line := func(prev string) []byte {
		text, _, err := seal(domain.LedgerEntry{N: 2, Prev: prev, Kind: domain.LedgerRefused})
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for name, tt := range map[string]struct {
		rest    func(prev string) []byte
		entries int64
	}{
		"half a line":              {func(p string) []byte { return line(p)[:100] }, 1},
		"a byte of a line":         {func(p string) []byte { return line(p)[:1] }, 1},
		"nothing but zeros":        {func(string) []byte { return make([]byte, 50) }, 1},
		"a line without its head":  {line, 2},
		"a line but its line feed": {func(p string) []byte { return bytes.TrimSpace(line(p)) }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			l := Open(t.TempDir(), false)
			send(t, l, "lantern")
			h, err := l.readHead()
			if err != nil {
				t.Fatal(err)
			}
			appendTo(t, l, tt.rest(h.Hash))
			whole(t, l, 1) // so far
			send(t, Open(l.dir, false), "lamp")
			whole(t, l, tt.entries+1)
		})
	}
}

func TestNothingIsSentWhereNothingCanBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(filepath.Join(file, "ledger"), false).Sending(t.Context(), Request{}); err == nil {
		t.Error("it may leave")
	}
	l := Open(t.TempDir(), false)
	send(t, l, "lantern")
	if err := os.Rename(filepath.Join(l.dir, headName), filepath.Join(l.dir, "kept")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(l.dir, headName), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Sending(t.Context(), Request{}); err == nil {
		t.Error("it may leave without a head")
	}
}

// TestAFaultStopsSendingUntilItIsAcknowledged, for every process, and what is refused is still written.
func TestAFaultStopsSendingUntilItIsAcknowledged(t *testing.T) {
	l := Open(t.TempDir(), false)
	for _, q := range []string{"a", "b", "c"} {
		send(t, l, q)
	}
	edit(t, l, func(data []byte) []byte { return bytes.Replace(data, []byte("papers"), []byte("rapers"), 1) })
	for _, process := range []*Ledger{Open(l.dir, false), Open(l.dir, false)} {
		if _, err := process.Sending(t.Context(), Request{}); !errors.Is(err, ErrFault) {
			t.Errorf("%v", err)
		}
		if err := process.Refused(t.Context(), Request{}, "ledger"); err != nil {
			t.Error(err)
		}
	}
	s, err := l.Acknowledge(t.Context())
	if err != nil || len(s.Faults) != 0 || len(s.Acknowledged) != 1 || s.Acknowledged[0].First != 1 || s.Entries != 6 {
		t.Fatalf("%+v, %v", s, err)
	}
	send(t, l, "d")
	send(t, Open(l.dir, false), "e")
	whole(t, l, 8)
}

func appendTo(t *testing.T, l *Ledger, data []byte) {
	t.Helper()
	edit(t, l, func(old []byte) []byte { return append(old, data...) })
}

func edit(t *testing.T, l *Ledger, change func([]byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(l.Path())
	if err == nil {
		err = os.WriteFile(l.Path(), change(data), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// madeUp is a ledger with made-up entries, written at once, and its lines.
func madeUp(t testing.TB, entries int) (*Ledger, [][]byte) {
	t.Helper()
	l := Open(t.TempDir(), false)
	var h head
	var lines [][]byte
	for i := range entries {
		e := l.entry(domain.LedgerSent, Request{
			Search: fmt.Sprint("search ", i), Collections: []string{"papers"}, Host: "cohere.invalid", Query: fmt.Sprint(i),
			Passages: []string{fmt.Sprint("passage ", i), "another"}, Body: fmt.Append(nil, i),
		})
		e.N, e.Prev, e.At = h.Entries+1, h.Hash, time.Unix(int64(i), 0).UTC()
		line, hash, err := seal(e)
		if err != nil {
			t.Fatal(err)
		}
		h = head{e.N, h.Bytes + int64(len(line)), hash}
		lines = append(lines, line)
	}
	if err := os.WriteFile(l.Path(), bytes.Join(lines, nil), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := l.writeHead(headFile{head: h}); err != nil {
		t.Fatal(err)
	}
	return l, lines
}

// forged is a line with another content and a right digest.
func forged(t *testing.T, line []byte) []byte {
	t.Helper()
	body, _, err := sealed(bytes.TrimSpace(line))
	var e domain.LedgerEntry
	if err == nil {
		err = json.Unmarshal(body, &e)
	}
	e.Host = "somebody.invalid"
	out, _, err2 := seal(e)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	return out
}

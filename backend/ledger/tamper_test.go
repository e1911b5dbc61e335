package ledger

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"fanous/backend/domain"
)

// TestEveryTamperingIsFoundAndLocated: in a ledger of 10,000 entries, at random places, each kind several times; then it
// is acknowledged, sending goes on, and the fault is known from then on.
func TestEveryTamperingIsFoundAndLocated(t *testing.T) {
	const entries, times = 10_000, 3
	l, lines := madeUp(t, entries)
	original, err := os.ReadFile(filepath.Join(l.dir, headName))
	if err != nil {
		t.Fatal(err)
	}
	whole(t, l, entries)
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 1))

	type lineList = [][]byte
	for name, tamper := range map[string]func(at, other int, all lineList) (lineList, []int){
		"a byte is changed": func(at, _ int, all lineList) (lineList, []int) {
			line := bytes.Clone(all[at])
			line[random.IntN(len(line)-1)] ^= byte(1 + random.IntN(255))
			all[at] = line
			return all, []int{at}
		},
		"a byte is put in": func(at, _ int, all lineList) (lineList, []int) {
			all[at] = slices.Insert(bytes.Clone(all[at]), random.IntN(len(all[at])), byte(random.IntN(256)))
			return all, []int{at}
		},
		"a byte is taken out": func(at, _ int, all lineList) (lineList, []int) {
			p := random.IntN(len(all[at]) - 1)
			all[at] = slices.Delete(bytes.Clone(all[at]), p, p+1)
			return all, []int{at}
		},
		"two lines are made one": func(at, _ int, all lineList) (lineList, []int) {
			all[at] = bytes.TrimSuffix(all[at], []byte("\n"))
			return all, []int{at}
		},
		"a line is deleted": func(at, _ int, all lineList) (lineList, []int) {
			return slices.Delete(all, at, at+1), []int{at}
		},
		"lines are deleted": func(at, _ int, all lineList) (lineList, []int) {
			n := min(1+random.IntN(50), len(all)-at)
			return slices.Delete(all, at, at+n), []int{at, at + n - 1}
		},
		"the end is cut off": func(at, _ int, all lineList) (lineList, []int) {
			return all[:at], []int{at, len(all) - 1}
		},
		"the end is cut off within a line": func(at, _ int, all lineList) (lineList, []int) {
			end := len(all) - 1
			all[at] = all[at][:1+random.IntN(len(all[at])-1)]
			return all[:at+1], []int{at, end}
		},
		"everything is gone": func(_, _ int, all lineList) (lineList, []int) { return nil, []int{0, len(all) - 1} },
		"two lines are exchanged": func(at, other int, all lineList) (lineList, []int) {
			all[at], all[other] = all[other], all[at]
			return all, []int{at, other}
		},
		"a line is moved": func(at, other int, all lineList) (lineList, []int) {
			line := all[at]
			all = slices.Delete(all, at, at+1)
			return slices.Insert(all, other, line), []int{at}
		},
		"a line stands twice": func(at, other int, all lineList) (lineList, []int) {
			return slices.Insert(all, other, all[at]), []int{at}
		},
		"something is put between": func(at, _ int, all lineList) (lineList, []int) {
			return slices.Insert(all, at, []byte("{\"n\":1}\n")), []int{at}
		},
		"something is put at the end": func(_, _ int, all lineList) (lineList, []int) {
			return append(all, []byte("{\"n\":1}\n")), []int{len(all) - 1}
		},
		"an entry is forged": func(at, _ int, all lineList) (lineList, []int) {
			all[at] = forged(t, all[at])
			return all, []int{at}
		},
		"the last entry is forged": func(_, _ int, all lineList) (lineList, []int) {
			all[len(all)-1] = forged(t, all[len(all)-1])
			return all, []int{len(all) - 1}
		},
		"two entries follow that nobody wrote": func(_, _ int, all lineList) (lineList, []int) {
			prev, _ := linkOf(bytes.TrimSpace(all[len(all)-1]))
			for range 2 {
				line, hash, _ := seal(domain.LedgerEntry{N: prev.N + 1, Prev: prev.hash})
				prev = link{N: prev.N + 1, hash: hash}
				all = append(all, line)
			}
			return all, []int{len(all) - 1}
		},
	} {
		for i := range times {
			at, other := random.IntN(entries), random.IntN(entries)
			if at == other || i == 0 {
				at, other = 4, 5
			}
			label := fmt.Sprintf("%s (seed %d, entries %d and %d)", name, seed, at+1, other+1)
			changed, where := tamper(at, other, slices.Clone(lines))
			put(t, l, bytes.Join(changed, nil), original)
			if i > 0 { // the same where the ledger has full parts
				divide(t, l, lines, changed)
			}
			s, err := l.Verify(t.Context())
			if err != nil || len(s.Faults) == 0 || s.Problem == "" {
				t.Fatalf("%s: not found: %+v, %v", label, s, err)
			}
			for _, w := range where {
				near := int64(0)
				if name == "two lines are exchanged" || name == "a line is moved" {
					near = 1 // of two neighbours, either is in the place of the other
				}
				if !located(s.Faults, int64(w+1), near) {
					t.Errorf("%s: entry %d is not named by %+v", label, w+1, s.Faults)
				}
			}
			if n := covered(s.Faults); len(where) == 1 && n > 4 {
				t.Errorf("%s: %d entries are named: %+v", label, n, s.Faults)
			}
			if i == 0 {
				acknowledged(t, l, label)
			}
		}
	}
}

// TestAHeadThatIsNotOurs is a fault of its own.
func TestAHeadThatIsNotOurs(t *testing.T) {
	l, lines := madeUp(t, 100)
	all := bytes.Join(lines, nil)
	kept, err := l.readHead()
	if err != nil {
		t.Fatal(err)
	}
	good := kept.head
	fewer := good
	fewer.Entries--
	other := good
	other.Hash = Digest(nil)
	for name, data := range map[string][]byte{"none": nil, "unreadable": []byte("{}"), "fewer": encoded(t, fewer), "another digest": encoded(t, other)} {
		put(t, l, all, data)
		s, err := l.Verify(t.Context())
		if err != nil || len(s.Faults) != 1 || s.Faults[0].Last != 100 {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
		acknowledged(t, l, name)
	}
}

// TestAnOlderLedgerInItsPlace, entries and head alike, does not agree with what was verified before.
func TestAnOlderLedgerInItsPlace(t *testing.T) {
	l, lines := madeUp(t, 100)
	whole(t, l, 100)
	older := headOf(lines[:60])
	for _, verify := range []func() (domain.LedgerState, error){
		func() (domain.LedgerState, error) { return l.State(t.Context()) },
		func() (domain.LedgerState, error) { return l.Verify(t.Context()) },
	} {
		put(t, l, bytes.Join(lines, nil), encoded(t, headOf(lines)))
		whole(t, l, 100)
		if err := os.WriteFile(l.Path(), bytes.Join(lines[:60], nil), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := l.writeHead(headFile{head: older}); err != nil {
			t.Fatal(err)
		}
		s, err := verify()
		if err != nil || len(s.Faults) != 1 || s.Faults[0] != (domain.LedgerFault{Kind: domain.FaultMissing, First: 61, Last: 100}) {
			t.Errorf("%+v, %v", s, err)
		}
	}
	acknowledged(t, l, "an older ledger")
}

func headOf(lines [][]byte) (h head) {
	for _, line := range lines {
		k, _ := linkOf(bytes.TrimSpace(line))
		h = head{k.N, h.Bytes + int64(len(line)), k.hash}
	}
	return h
}

func acknowledged(t *testing.T, l *Ledger, label string) {
	t.Helper()
	before, err := l.Verify(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	after, err := l.Acknowledge(t.Context())
	if err != nil || len(after.Faults) > 0 || len(after.Acknowledged) != len(before.Faults) || after.Problem != "" {
		t.Fatalf("%s: %+v is not acknowledged: %+v, %v", label, before.Faults, after, err)
	}
	send(t, Open(l.dir, false), label)
	if s, err := l.Verify(t.Context()); err != nil || len(s.Faults) > 0 {
		t.Errorf("%s: after a sending: %+v, %v", label, s, err)
	}
}

func located(faults []domain.LedgerFault, n, near int64) bool {
	return slices.ContainsFunc(faults, func(f domain.LedgerFault) bool { return f.First-near <= n && n <= f.Last+near })
}

func covered(faults []domain.LedgerFault) (n int64) {
	for _, f := range faults {
		n += f.Last - f.First + 1
	}
	return n
}

// divide puts the changed lines of a ledger into parts of a third of its lines each, under the names that they had.
func divide(t *testing.T, l *Ledger, lines, changed [][]byte) {
	t.Helper()
	h, base, third := headFile{head: headOf(lines)}, int64(0), len(lines)/3
	for i := range 2 {
		own := changed[min(i*third, len(changed)):min((i+1)*third, len(changed))]
		if err := os.WriteFile(filepath.Join(l.dir, partName(base)), bytes.Join(own, nil), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, line := range lines[i*third : (i+1)*third] {
			base += int64(len(line))
		}
	}
	h.Base = base
	rest := changed[min(2*third, len(changed)):]
	if err := os.WriteFile(l.Path(), bytes.Join(rest, nil), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := l.writeHead(h); err != nil {
		t.Fatal(err)
	}
}

// put writes the files as somebody else would, with no verification before. No head: none.
func put(t *testing.T, l *Ledger, entries, head []byte) {
	t.Helper()
	for name, data := range map[string][]byte{entriesName: entries, headName: head} {
		if err := os.WriteFile(filepath.Join(l.dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	gone := []string{checkedName}
	for _, p := range l.parts() {
		gone = append(gone, filepath.Base(p.path))
	}
	if head == nil {
		gone = append(gone, headName)
	}
	for _, name := range gone {
		if err := os.Remove(filepath.Join(l.dir, name)); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
}

func encoded(t *testing.T, h head) []byte {
	t.Helper()
	data, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	return append(append(data, bytes.Repeat([]byte(" "), headSize-1-len(data))...), '\n')
}

// BenchmarkVerify is one run over 100,000 made-up entries, and what is left of it once they were verified.
func BenchmarkVerify(b *testing.B) {
	entries := 1000
	if os.Getenv("FANOUS_BENCH_SHAPE") != "" {
		entries = 100_000
	}
	l, _ := madeUp(b, entries)
	b.Run("every entry", func(b *testing.B) {
		for b.Loop() {
			if s, err := l.Verify(b.Context()); err != nil || len(s.Faults) > 0 {
				b.Fatal(s, err)
			}
		}
	})
	b.Run("what is new", func(b *testing.B) {
		for b.Loop() {
			if s, err := l.State(b.Context()); err != nil || len(s.Faults) > 0 {
				b.Fatal(s, err)
			}
		}
	})
}

// BenchmarkSending is what an entry costs before its request leaves.
func BenchmarkSending(b *testing.B) {
	l := Open(b.TempDir(), false)
	request := Request{Query: "lantern", Body: make([]byte, 40_000), Passages: slices.Repeat([]string{string(make([]byte, 1000))}, 40)}
	for b.Loop() {
		if _, err := l.Sending(b.Context(), request); err != nil {
			b.Fatal(err)
		}
	}
}

package reader

import (
	"bytes"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"fanous/backend/domain"
	"fanous/backend/extract"
)

// unhurried is a pace that nobody keeps.
type unhurried struct{}

func (unhurried) wait()  {}
func (unhurried) pause() {}

func said(t testing.TB, found ...extract.Found) []byte {
	t.Helper()
	var out bytes.Buffer
	to := newSender(&out)
	for _, f := range found {
		if err := to.found(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := to.say(message{Done: &done{}}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func heard(data []byte, limit Limits) (found []extract.Found, err error) {
	r := newReceiver(bytes.NewReader(data), unhurried{}, &sync.Mutex{}, limit)
	_, err = r.file(limit, func(f extract.Found) error {
		found = append(found, f)
		return nil
	})
	return found, err
}

// TestADocumentArrivesWhole: also one whose text is no UTF-8 and whose date no calendar has.
func TestADocumentArrivesWhole(t *testing.T) {
	sent := extract.Found{
		Member: "a/b", Size: 7, Hash: "x", ModTime: time.Unix(1, 2).UTC(), State: domain.StateIndexed,
		Content: domain.Content{Format: "pdf", Title: "t", Author: "a", Dated: time.Unix(9, 0).UTC(), Unreliable: []int{1}, Images: []int{2},
			Warnings: []string{"w"}, Blocks: []domain.Block{{Kind: domain.KindHeading, Level: 1, Text: "<&>\u2028", Place: domain.Place{Page: 3, Cells: "A1"}, OCR: 0.5}}},
	}
	itself := extract.Found{State: domain.StateNoText, Reason: "none"}
	got, err := heard(said(t, sent, itself), DefaultLimits())
	if err != nil || len(got) != 2 || !reflect.DeepEqual(got[0], sent) || got[1].Reason != "none" {
		t.Fatalf("%+v, %v", got, err)
	}
	itself.ModTime, itself.Reason = time.Date(20_000, 1, 1, 0, 0, 0, 0, time.UTC), "a\xffb"
	got, err = heard(said(t, itself), DefaultLimits())
	if err != nil || !got[0].ModTime.IsZero() || got[0].Reason != "a\ufffdb" {
		t.Errorf("%+v, %v", got, err)
	}
}

// FuzzMessages: whatever a child says, its parent holds no more than the limits allow, and takes nothing for a document
// that is none.
func FuzzMessages(f *testing.F) {
	f.Add(said(f, extract.Found{State: domain.StateIndexed, Content: domain.Content{Blocks: []domain.Block{{Text: "lantern"}}}}))
	f.Add(said(f, extract.Found{Member: "a", State: domain.StateFailed}, extract.Found{State: domain.StateContainer}))
	f.Add([]byte(strings.Repeat(`{"Found":{"State":"indexed"}}{"End":true}`, 3) + `{"Done":{}}`))
	f.Add([]byte(`{"Block":{}}{"Ready":true}{"End":true}[[[["`))
	limit := Limits{Document: 1 << 16, Output: 1 << 18, Members: 20}
	f.Fuzz(func(t *testing.T, data []byte) {
		found, err := heard(data, limit)
		itself, blocks := 0, 0
		for _, f := range found {
			blocks += len(f.Content.Blocks)
			if f.Member == "" {
				itself++
			}
		}
		if itself > 1 || err == nil && itself != 1 || len(found) > limit.Members || blocks*overhead > int(limit.Output) {
			t.Errorf("%d documents, %d blocks, %d times the file itself, %v", len(found), blocks, itself, err)
		}
	})
}

package pipeline

import (
	"reflect"
	"testing"

	"fanous/backend/domain"
)

func TestFingerprintsAreMadeOnce(t *testing.T) {
	of := func(f *Fingerprints, id int64, text string) fingerprint {
		return f.of(domain.Chunk{ID: id, Text: text})
	}
	want := fingerprintOf("the seventh lantern of 1402")
	for name, f := range map[string]*Fingerprints{"kept": {}, "not kept": nil} {
		if got := of(f, 1, "the seventh lantern of 1402"); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	var f Fingerprints
	of(&f, 1, "the seventh lantern of 1402")
	if got := of(&f, 1, "what no chunk of this number says"); !reflect.DeepEqual(got, want) {
		t.Errorf("made again: %+v", got)
	}
	for id := range int64(3 * maxFingerprints) {
		of(&f, id, "x")
	}
	if len(f.made) > maxFingerprints {
		t.Errorf("%d are kept", len(f.made))
	}
}

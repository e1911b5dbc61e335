package install

import "testing"

// TestVerifyTellsHowFarItIs: in bytes of the whole model, to its end.
func TestVerifyTellsHowFarItIs(t *testing.T) {
	in := installer(t, Sources{Mirrors: []string{flat(t).URL}})
	if err := in.Get(t.Context(), example()); err != nil {
		t.Fatal(err)
	}
	var last Progress
	in.Progress = func(p Progress) {
		if p.Done < last.Done {
			t.Errorf("%d bytes after %d", p.Done, last.Done)
		}
		last = p
	}
	if s, err := in.Verify(t.Context(), example()); err != nil || !s.Verified {
		t.Fatalf("%+v, %v", s, err)
	}
	if all := example().Bytes(); last.Model != "example" || last.Phase != Checking || last.Done != all || last.Total != all {
		t.Errorf("the last report is %+v, of %d bytes", last, all)
	}
}

package models

import (
	"encoding/json"
	"path/filepath"
	"testing"
)

// FuzzManifest: whatever manifest.json holds, what is accepted names files of its own folder only and is the same when
// it is written and read again.
func FuzzManifest(f *testing.F) {
	good, err := json.Marshal(example())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"name":"..","role":"runtime","files":[{"name":"a/../../b"}]}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ParseManifest(data)
		if err != nil || m.Validate() != nil {
			return
		}
		for _, file := range m.Files {
			if !filepath.IsLocal(file.Name) || filepath.Base(file.Name) != file.Name {
				t.Errorf("the file %q was accepted", file.Name)
			}
		}
		if !filepath.IsLocal(m.Name) || filepath.Base(m.Name) != m.Name {
			t.Errorf("the name %q was accepted", m.Name)
		}
		again, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := ParseManifest(again); err != nil || n.Digest() != m.Digest() || n.Bytes() != m.Bytes() {
			t.Errorf("%s became %+v (%v)", again, n, err)
		}
	})
}

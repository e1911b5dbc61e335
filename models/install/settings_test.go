package install

import (
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestReadPip(t *testing.T) {
	for _, name := range []string{"PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_NO_INDEX"} {
		t.Setenv(name, "")
	}
	file := filepath.Join(t.TempDir(), "pip.conf")
	put(t, file, []byte(`# what somebody set up
[global]
index-url = https://index.example/simple
extra_index_url =
    https://one.example/simple
    https://two.example/simple
find-links: /srv/wheels https://links.example/
timeout = 60
[freeze]
index-url = https://wrong.example
[download]
; nothing
`))
	t.Setenv("PIP_CONFIG_FILE", file)
	want := []string{"https://index.example/simple", "https://one.example/simple", "https://two.example/simple"}
	if p := ReadPip(); !slices.Equal(p.Indexes, want) || !slices.Equal(p.Folders, []string{"/srv/wheels"}) {
		t.Errorf("%+v", p)
	}
	t.Setenv("PIP_INDEX_URL", "https://mine.example")
	if p := ReadPip(); len(p.Indexes) != 3 || p.Indexes[0] != "https://mine.example" {
		t.Errorf("the environment is over the file: %+v", p)
	}
	t.Setenv("PIP_NO_INDEX", "1")
	if p := ReadPip(); len(p.Indexes) != 0 || !p.NoIndex {
		t.Errorf("no index is wanted: %+v", p)
	}
	t.Setenv("PIP_NO_INDEX", "")
	t.Setenv("PIP_INDEX_URL", "")
	t.Setenv("PIP_CONFIG_FILE", filepath.Join(t.TempDir(), "none"))
	if p := ReadPip(); len(p.Indexes)+len(p.Folders) != 0 || p.NoIndex {
		t.Errorf("nothing is set up: %+v", p)
	}
}

func TestReadNPM(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"npm_config_registry", "NPM_CONFIG_REGISTRY", "npm_config_userconfig", "NPM_CONFIG_USERCONFIG"} {
		t.Setenv(name, "")
	}
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("MY_REGISTRY", "registry.example")
	want := func(registry string) {
		t.Helper()
		if got := ReadNPM(); got != registry {
			t.Errorf("%q, want %q", got, registry)
		}
	}
	want("")
	put(t, filepath.Join(home, ".npmrc"), []byte(`; what somebody set up
# registry = https://wrong.example
@mine:registry = https://mine.example
always-auth
registry = "https://${MY_REGISTRY}/npm/"
[section]
registry = https://wrong.example
`))
	want("https://registry.example/npm/")
	other := filepath.Join(home, "other")
	put(t, other, []byte("registry=https://other.example\n"))
	t.Setenv("NPM_CONFIG_USERCONFIG", other)
	want("https://other.example")
	t.Setenv("NPM_CONFIG_REGISTRY", "https://environment.example")
	want("https://environment.example")
}

// TestMeter: the rate is that of the last moments, and what is left follows from it.
func TestMeter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []Progress
		m := meter{report: func(p Progress) { got = append(got, p) }}
		for second := range 61 { // 10 bytes a second at first, 100 from second 30 on
			done := int64(10 * second)
			if second > 30 {
				done = 300 + int64(100*(second-30))
			}
			m.tell(Progress{Done: done, Total: 5000})
			m.tell(Progress{Done: done, Total: 5000}) // at once: not told
			time.Sleep(time.Second)
		}
		if len(got) != 61 {
			t.Fatalf("%d reports", len(got))
		}
		if p := got[20]; p.Rate != 10 || p.Remaining != 480*time.Second {
			t.Errorf("in the middle: %+v", p)
		}
		if p := got[60]; p.Rate != 100 || p.Remaining != 17*time.Second {
			t.Errorf("in the end: %+v", p)
		}
		m.tell(Progress{Done: 5000, Total: 5000})
		m.tell(Progress{Done: 5000, Total: 5000})
		if len(got) != 63 {
			t.Error("the end is told, however soon")
		}
	})
}

func TestPlaces(t *testing.T) {
	for place, want := range map[string]bool{
		"https://x.example": true, "http://x": true, `C:\models`: false, "c://models": false, "/srv/models": false, "models": false,
	} {
		if got := isAddress(place); got != want {
			t.Errorf("%s is an address: %v", place, got)
		}
	}
	s := Sources{Mirrors: []string{"https://me:secret@mirror.example/m"}, Hub: "https://hub.example"}
	want := []string{"https://me:xxxxx@mirror.example/m", "https://hub.example/somebody/example"}
	if got := s.Names(example()); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

package rerank

import (
	"math"
	"testing"
)

func TestForeign(t *testing.T) {
	for _, c := range []struct {
		query, passage string
		want           float64
	}{
		{"capital of Iran", "Tehran is the capital.", 0},
		{"capital of Iran", "تهران پایتخت ایران است.", 1},
		{"پایتخت ایران", "Tehran is the capital.", 1},
		{"پایتخت ایران", "طهران هي عاصمة إيران", 0}, // one script, another language
		{"столица", "Tehran", 1},
		{"東京の人口", "東京都の人口は約1400万人", 0},
		{"東京", "カタカナ", 0},
		{"서울", "東京", 1},
		{"naïve Çeşme", "plain", 0},
		{"1402", "تهران", 0}, // no letters: nothing to tell by
		{"تهران", "1402 😀", 0},
		{"", "تهران", 0},
		{"تهران", "", 0},
		{"GPT-4 در تهران و شیراز", "تهران", 0}, // most letters count
		{"تهران", "abcdefghi ا", 0.5},          // a tenth, half of what would make it native
		{"تهران", "abcdefgh اب", 0},
	} {
		if got := foreign(c.passage, mainScript(c.query)); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%q for %q: %v, want %v", c.passage, c.query, got, c.want)
		}
	}
}

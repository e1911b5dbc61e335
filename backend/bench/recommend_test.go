package bench

import (
	"testing"
	"time"

	"fanous/backend/domain"
)

func TestRecommend(t *testing.T) {
	for _, c := range []struct {
		name       string
		speeds     Speeds
		tier       domain.LocalTier
		candidates int
		budget     time.Duration
	}{
		{"nothing measured", Speeds{}, "", 0, 0},
		{"sixteen cores", Speeds{Fast: 350, Precise: 38}, domain.TierPrecise, 40, patience},
		{"just not the whole pool", Speeds{Fast: 350, Precise: 9.9}, domain.TierCascade, 40, patience},
		{"two good cores", Speeds{Fast: 47, Precise: 4.8}, domain.TierCascade, 40, patience},
		{"two older cores", Speeds{Fast: 24, Precise: 4}, domain.TierCascade, 20, patience},
		{"too slow for the precise one", Speeds{Fast: 20, Precise: 2}, domain.TierFast, 40, patience},
		{"slow", Speeds{Fast: 6, Precise: .6}, domain.TierFast, 20, patience},
		{"slower", Speeds{Fast: 3, Precise: .3}, domain.TierFast, 20, longPatience},
		{"hopeless", Speeds{Fast: 1, Precise: .1}, domain.TierLate, 40, patience},
		{"only the fast one", Speeds{Fast: 47}, domain.TierFast, 40, patience},
		{"only the precise one", Speeds{Precise: 4.8}, domain.TierCascade, 40, patience},
		{"only a slow precise one", Speeds{Precise: 2}, domain.TierLate, 40, patience},
	} {
		r := Recommend(c.speeds)
		if r.Tier != c.tier || r.Candidates != c.candidates || r.Budget != c.budget || r.Reason == "" {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

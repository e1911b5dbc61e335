package rerank

import (
	"errors"
	"strings"
	"testing"
)

func TestOneScore(t *testing.T) {
	for _, c := range []struct {
		shape   []int64
		refused string // what the sentence says; empty: taken
	}{
		{[]int64{-1, 1}, ""},
		{[]int64{1, 1}, ""},
		{[]int64{1}, ""},
		{[]int64{-1, -1}, ""}, // may turn out right: the first run says
		{nil, ""},
		{[]int64{1, 2}, "2 numbers a pair"},        // a classifier
		{[]int64{-1, 384}, "384 numbers a pair"},   // an embedder that pools
		{[]int64{-1, -1, 384}, "a vector a token"}, // an embedder that does not
		{[]int64{1, 7, 1}, "a vector a token"},
	} {
		err := oneScore(c.shape)
		if c.refused == "" {
			if err != nil {
				t.Errorf("%v: %v", c.shape, err)
			}
			continue
		}
		if !errors.Is(err, ErrNotCrossEncoder) || !errors.Is(err, ErrPermanent) || !strings.Contains(err.Error(), c.refused) {
			t.Errorf("%v: %v", c.shape, err)
		}
	}
}

package language

import (
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// A reader sees grapheme clusters: a letter with its marks, a family of emoji joined to one picture. What is marked begins and
// ends between two of them, whatever part of one a term stands for.

// maxClusterSearch bounds, in bytes, how far back the beginning of a cluster is looked for.
const maxClusterSearch = 4096

// toClusters widens ranges to whole clusters of the text.
func toClusters(text string, rs [][2]int) {
	for i := range rs {
		rs[i][0], _ = clusterAt(text, rs[i][0])
		_, rs[i][1] = clusterAt(text, rs[i][1])
	}
}

// clusterAt gives the bounds of the cluster that the place i falls into; both are i where it is between two.
func clusterAt(text string, i int) (start, end int) {
	if i <= 0 || i >= len(text) {
		return i, i
	}
	start = clusterStart(text, i)
	for state := -1; start < i; {
		var cluster string
		cluster, _, _, state = uniseg.FirstGraphemeClusterInString(text[start:], state)
		if end = start + len(cluster); end > i {
			return start, end
		}
		start = end
	}
	return i, i
}

// clusterStart finds a place before i from which clusters can be told: two spaces or other ASCII characters back, of which at
// least one begins a cluster.
func clusterStart(text string, i int) int {
	at, plain := i, 0
	for at > 0 && i-at < maxClusterSearch && plain < 2 {
		r, n := utf8.DecodeLastRuneInString(text[:at])
		at -= n
		if r < utf8.RuneSelf && r != '\n' {
			plain++
		}
	}
	return at
}

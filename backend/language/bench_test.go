package language_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"fanous/backend/language"
)

// madeUpText is text of made-up words of the given syllables, about n bytes in chunks of about a thousand. Words come as
// often as in real text (Zipf), so that some are met for the first time in every chunk.
func madeUpText(n int, common, syllables, endings []string) []string {
	r := rand.New(rand.NewPCG(1, 2))
	vocabulary := make([]string, 50000)
	copy(vocabulary, common)
	for i := len(common); i < len(vocabulary); i++ {
		var b strings.Builder
		for range 1 + r.IntN(4) {
			b.WriteString(syllables[r.IntN(len(syllables))])
		}
		b.WriteString(endings[r.IntN(len(endings))])
		vocabulary[i] = b.String()
	}
	zipf := rand.NewZipf(r, 1.1, 5, uint64(len(vocabulary)-1))
	var out []string
	for n > 0 {
		var b strings.Builder
		for b.Len() < 1000 {
			b.WriteString(vocabulary[zipf.Uint64()])
			b.WriteString([]string{" ", " ", " ", " ", " ", ", ", ". "}[r.IntN(7)])
		}
		out = append(out, b.String())
		n -= b.Len()
	}
	return out
}

type corpus struct {
	name   string
	chunks []string
}

func corpora() []corpus {
	split := strings.Fields
	return []corpus{
		{"English", madeUpText(4<<20, split("the of and to in a is that it was for on are with as be this have from by"), split("ta re mon Ka lis der str in the con pro vi ble ment ri sho ar gen"), split("s ed ing ation e er ly al"))},
		{"Persian", madeUpText(4<<20, split("و در به از که این را با است برای آن می خود ها"), split("کا تا می رو خو نا سر دی گا بر پی شه چه زن مو"), split("ها ی ان ه ‌ها م تر د"))},
		{"Arabic", madeUpText(4<<20, split("في من على إلى أن التي هذا كان عن مع"), split("ال كت با مد رس علي حا قو سل جم أح"), split("ة ات ون ين ي ه ا د"))},
		{"Chinese", madeUpText(1<<20, nil, split("中 国 人 大 学 北 京 手 机 我 们 天"), split("的 了 是 在"))},
	}
}

func BenchmarkAppendTerms(b *testing.B) {
	for _, c := range corpora() {
		b.Run(c.name, func(b *testing.B) {
			size := 0
			for _, chunk := range c.chunks {
				size += len(chunk)
			}
			b.SetBytes(int64(size))
			b.ReportAllocs()
			var buf []byte
			for b.Loop() {
				for _, chunk := range c.chunks {
					buf = language.AppendTerms(buf[:0], chunk)
				}
			}
			b.ReportMetric(float64(b.N)*float64(len(c.chunks))/b.Elapsed().Seconds(), "chunks/s")
		})
	}
}

// BenchmarkInsert analyses chunks and inserts them into FTS5, and tells what share of the time the analysis took.
func BenchmarkInsert(b *testing.B) {
	for _, c := range corpora() {
		b.Run(c.name, func(b *testing.B) {
			x := newIndex(b)
			chunks := c.chunks[:min(len(c.chunks), 1000)]
			var analysis time.Duration
			var buf []byte
			for b.Loop() {
				tx, err := x.db.Begin()
				if err != nil {
					b.Fatal(err)
				}
				insert, err := tx.Prepare("INSERT INTO t(body) VALUES (?)")
				if err != nil {
					b.Fatal(err)
				}
				for _, chunk := range chunks {
					start := time.Now()
					buf = language.AppendTerms(buf[:0], chunk)
					analysis += time.Since(start)
					if _, err := insert.Exec(string(buf)); err != nil {
						b.Fatal(err)
					}
				}
				if err := tx.Commit(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)*float64(len(chunks))/b.Elapsed().Seconds(), "chunks/s")
			b.ReportMetric(analysis.Seconds()/b.Elapsed().Seconds(), "analysis/total")
		})
	}
}

func BenchmarkQuery(b *testing.B) {
	for b.Loop() {
		language.ParseQuery("what is the capital of Germany and its population").Match(nil)
	}
}

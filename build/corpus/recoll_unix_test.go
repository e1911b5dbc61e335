//go:build unix

package corpus

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"fanous/backend/domain"
)

// recollEnv says on how many files BenchmarkAgainstRecoll compares. It needs the package recollcmd with pdftotext and
// Python's lxml, and so runs only where somebody asks for it.
const recollEnv = "FANOUS_RECOLL"

// BenchmarkAgainstRecoll indexes a folder of mixed files with Recoll and with Fanous without embeddings, one after the
// other, and says how many times faster Fanous is. Every file has text that both read.
func BenchmarkAgainstRecoll(b *testing.B) {
	n, err := strconv.Atoi(os.Getenv(recollEnv))
	if err != nil {
		b.Skip(recollEnv + " is not set to a number of files")
	}
	dir := filepath.Join(b.TempDir(), "mixed")
	if err := mixed(b, dir, n); err != nil {
		b.Fatal(err)
	}
	var recoll, ours cost
	for b.Loop() {
		config := b.TempDir()
		if err := os.WriteFile(filepath.Join(config, "recoll.conf"), []byte("topdirs = "+dir+"\n"), 0o644); err != nil {
			b.Fatal(err)
		}
		recoll.add(func() {
			if out, err := exec.Command("recollindex", "-c", config).CombinedOutput(); err != nil {
				b.Fatalf("recollindex: %v: %s", err, out)
			}
		})
		// Its own count of results is an estimate.
		out, err := exec.Command("recollq", "-c", config, "-b", "-n", strconv.Itoa(2*n), "lighthouse").Output()
		if found := strings.Count(string(out), "file://"); err != nil || found != n {
			b.Fatalf("recoll finds %d of %d files: %v: %.300s", found, n, err, out)
		}
		data := b.TempDir()
		indexed(b, data, "warm", filepath.Join(dir, "00007.pdf"))
		ours.add(func() {
			if report := indexed(b, data, "all", dir); report.Indexed != n {
				b.Fatalf("%+v", report)
			}
		})
	}
	b.ReportMetric(recoll.wall.Seconds()/ours.wall.Seconds(), "x-recoll")
	b.ReportMetric(recoll.cpu.Seconds()/ours.cpu.Seconds(), "x-recoll-cpu")
	b.ReportMetric(float64(b.N*n)/ours.wall.Seconds(), "files/s")
	b.ReportMetric(float64(b.N*n)/recoll.wall.Seconds(), "recoll-files/s")
}

// indexed indexes a path with a backend of its own. The first PDF of a data folder has the reader of PDFs compiled, which
// is kept from then on.
func indexed(b *testing.B, data, collection, path string) domain.IndexReport {
	index, end := open(b, data)
	defer end()
	report, err := index.Index(b.Context(), domain.IndexRequest{Collection: collection, Paths: []string{path}, NoOCR: true}, nil)
	if err != nil {
		b.Fatal(err)
	}
	return report
}

// cost is what something took. The time of the processors, children included, tells more on a machine that does other
// work, too.
type cost struct{ wall, cpu time.Duration }

func (c *cost) add(do func()) {
	start, before := time.Now(), processors()
	do()
	c.wall += time.Since(start)
	c.cpu += processors() - before
}

func processors() (total time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err == nil {
			total += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return total
}

// mixed writes n files of many kinds, some pages of text each.
func mixed(b *testing.B, dir string, n int) error {
	random := rand.New(rand.NewPCG(1, 2))
	all := languages()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	browser, err := startPrinter(b.Context(), filepath.Join(b.TempDir(), "browser"))
	if err != nil {
		return err
	}
	defer browser.close()
	page := filepath.Join(b.TempDir(), "page.html")
	for i := range n {
		t := all[i%2]
		var paragraphs []string
		for range 20 + random.IntN(20) {
			paragraphs = append(paragraphs, fmt.Sprintf("%s %d %s", t.first, random.IntN(1e6), t.second))
		}
		t.title, t.first, t.second = fmt.Sprintf("%s %d", t.title, i), strings.Join(paragraphs, "\n\n"), fmt.Sprintf("The lighthouse of file %d.", i)
		name, data := "", []byte(nil)
		switch i % 8 {
		case 0, 1:
			name, data = "txt", []byte(t.plain())
		case 2, 3:
			name, data = "html", []byte(strings.ReplaceAll(t.html(), "\n\n", "</p><p>"))
		case 4:
			name, data = "eml", []byte(t.mail())
		case 5, 6:
			body := ""
			for _, p := range append(paragraphs, t.second) {
				body += wordP(run(p))
			}
			name = "docx"
			data, err = word(wordDocument(xmlHead, body))
		case 7:
			name = "pdf"
			if err = os.WriteFile(page, []byte(strings.ReplaceAll(t.html(), "\n\n", "</p><p>")), 0o644); err == nil {
				data, err = browser.print(page)
			}
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, fmt.Sprintf("%05d.%s", i, name)), data, 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

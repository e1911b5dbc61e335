package reader

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"fanous/backend/extract"
)

// childEnv makes a program of ours a child that reads files: it holds its settings as JSON.
const childEnv = "FANOUS_READER"

type settings struct {
	Memory  int64
	Awaited bool
}

const (
	// exitMemory is the exit status of a child that took more memory than it may.
	exitMemory = 3
	// niceness is how far a child that nobody waits for stands back behind other programs.
	niceness = 10
	// maxWritten is how many bytes a child may write into one file. The only one that it writes has no name: what the memory
	// of pdfium begins with, about 2 MB.
	maxWritten = 16 << 20
)

// Files reads and draws files: an Extractor, or what a test puts around one.
type Files interface {
	Read(ctx context.Context, path string, each func(extract.Found) error) error
	Pages(ctx context.Context, path, member string, pages []int, size extract.Raster, each func(extract.Drawn) error) error
}

// Child reads the files that the parent asks for, where the environment says that this process is there for that, and
// says whether it is: the program, which calls this before anything else, then ends. A child whose standard input ends
// has lost its parent and ends at once.
func Child() bool { return ChildWith(func(x *extract.Extractor) Files { return x }) }

// ChildWith is Child with what with makes of the Extractor in its place: for tests.
func ChildWith(with func(*extract.Extractor) Files) bool {
	text, ok := os.LookupEnv(childEnv)
	if !ok {
		return false
	}
	var s settings
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", childEnv, err)
		os.Exit(1)
	}
	out := os.Stdout
	os.Stdout = os.Stderr // whoever prints must not get between the messages
	runtime.GOMAXPROCS(2) // one reads, one clears up
	debug.SetMemoryLimit(s.Memory / 4 * 3)
	x := extract.New(extract.Options{Memory: s.Memory / 4 * 3})
	held := func() int64 { return used() + x.Held() }
	go guardMemory(s.Memory, held)
	confine(s.Memory, s.Awaited)
	if err := serve(os.Stdin, out, with(x), held); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return true
}

// guardMemory ends the process when it has more memory than it may: some systems have no limit of their own, and where
// they have one, this says what was the matter.
func guardMemory(limit int64, held func() int64) {
	for {
		if held() > limit {
			os.Exit(exitMemory)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// used is the memory that the Go runtime has from the system.
func used() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64() - sample[1].Value.Uint64())
}

const (
	// lifetime is how many files a child reads: what one file leaves behind must not grow for ever.
	lifetime = 2000
	// garbageShare is what may be garbage before the collector runs. With Go's own 100 all that indexing takes is a
	// twelfth more.
	garbageShare = "400" // percent of what is in use
	// grown is the memory from which on a child that has finished a file makes room for a new one.
	grown = 512 << 20
)

// serve answers requests until there are no more.
func serve(in io.Reader, out io.Writer, x Files, held func() int64) error {
	requests := make(chan request)
	go func() {
		listen(in, requests)
		os.Exit(1) // nobody is left to answer
	}()
	to := newSender(out)
	if err := to.say(message{Ready: true}); err != nil {
		return err
	}
	for n := 1; ; n++ {
		last, err := answer(<-requests, to, x)
		if err != nil {
			return err
		}
		if held() > grown {
			debug.FreeOSMemory() // perhaps it is not in use
		}
		last.Spent = n >= lifetime || held() > grown
		if err := to.say(message{Done: &last}); err != nil || last.Spent {
			return err
		}
	}
}

// answer reads or draws one file. Its error is one of answering.
func answer(r request, to sender, x Files) (done, error) {
	if r.Draw == nil {
		return done{}, x.Read(context.Background(), string(r.Path), to.found)
	}
	var failed error
	err := x.Pages(context.Background(), string(r.Path), r.Draw.Member, r.Draw.Pages, r.Draw.Raster, func(d extract.Drawn) error {
		failed = to.drawn(d)
		return failed
	})
	if failed != nil || err == nil {
		return done{}, failed
	}
	return done{Err: err.Error()}, nil
}

// listen hands on requests until they end.
func listen(in io.Reader, to chan<- request) {
	dec := jsontext.NewDecoder(in)
	for {
		var r request
		if err := json.UnmarshalDecode(dec, &r); err != nil {
			if !errors.Is(err, io.EOF) {
				fmt.Fprintln(os.Stderr, err)
			}
			return
		}
		to <- r
	}
}

// Package fetch gets one file, whole and verified or not at all, from the first of several sources that can give it.
//
// What has arrived lies beside the file as NAME.part and is gone on with by the next call, whoever makes it and
// whatever ended the last one: a cut, a full disk, a kill. A file's digest is known before, so that the part may come
// from several sources and none needs to be trusted.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"fanous/models"
	"fanous/network"
)

// Want is the file that is wanted.
type Want struct {
	Path   string // where it is to be; its folder exists
	Bytes  int64  // 0: not known before a source says it
	SHA256 string // lower-case hex
}

// Progress is how far a file is.
type Progress struct {
	Source string // that gives it now, for people
	Done   int64  // bytes that are here
	Total  int64  // 0: not known
}

// Fetcher gets files. Nobody else may get the same file at the same time: the caller holds a lock.
type Fetcher struct {
	Client *http.Client
	// Patience is how long a source may give less than MinRate bytes a second before another one is tried.
	Patience time.Duration
	MinRate  int64
	// Rounds is how often all sources are tried in vain; a round that brought something forward does not count.
	Rounds int
	// Pause lies before the second round and is doubled before each further one.
	Pause time.Duration
	// Free tells the free bytes of a folder's file system; nil: ask the system.
	Free func(dir string) (int64, error)

	write func(*os.File, []byte) (int, error) // nil: the file's own; tests have disks that are full
}

// New makes a fetcher that goes out over a network.
func New(n *network.Network) *Fetcher {
	// A digest is of the bytes as they are.
	client := n.Client(func(t *http.Transport) { t.DisableCompression = true })
	return &Fetcher{Client: client, Patience: 30 * time.Second, MinRate: 1 << 10, Rounds: 3, Pause: time.Second, Free: FreeBytes}
}

// worthwhile is what a round must bring so that it does not count as one in vain.
const worthwhile = 1 << 20

// ErrWrongBytes says that a source gave other bytes than those of the digest.
var ErrWrongBytes = errors.New("other bytes than expected")

// final marks errors after which the same source need not be asked again.
type final struct{ error }

func (f final) Unwrap() error { return f.error }

// local marks errors of this machine: no other source can help.
type local struct{ error }

func (l local) Unwrap() error { return l.error }

// Get makes sure that the file is at its path. It returns ctx's error where that ended it, and an error that names each
// source's failure where none could give the file. Bytes that came from an earlier call count as done in progress.
func (f *Fetcher) Get(ctx context.Context, want Want, sources []Source, progress func(Progress)) error {
	p, err := openPart(ctx, want)
	if err != nil {
		return err
	}
	if f.write != nil {
		p.append = func(b []byte) (int, error) { return f.write(p.file, b) }
	}
	defer p.close()
	if p.matches() {
		return p.install()
	}
	g := &getting{fetcher: f, want: want, part: p, progress: progress, failures: make([]error, len(sources))}
	if len(sources) == 0 {
		return fmt.Errorf("%s: nobody is known to have it", p.name())
	}
	return g.rounds(ctx, sources)
}

// getting is one call of Get.
type getting struct {
	fetcher  *Fetcher
	want     Want
	part     *part
	progress func(Progress)
	failures []error // by source: why it failed last
	alone    bool    // the part may hold one source's bytes only: a mixed one turned out wrong
}

func (g *getting) rounds(ctx context.Context, sources []Source) error {
	pause := g.fetcher.Pause
	for round := 0; round < g.fetcher.Rounds; round++ {
		if round > 0 {
			if err := wait(ctx, pause); err != nil {
				return err
			}
			pause *= 2
		}
		before, hopeful := g.part.size, false
		for i, source := range sources {
			if errors.As(g.failures[i], new(final)) {
				continue
			}
			err := g.try(ctx, source)
			switch {
			case err == nil:
				return g.part.install()
			case ctx.Err() != nil:
				return ctx.Err()
			case errors.As(err, new(local)):
				return err
			}
			g.failures[i] = err
			hopeful = hopeful || !errors.As(err, new(final))
		}
		if !hopeful {
			break
		}
		if g.part.size-before >= worthwhile && !g.alone {
			round, pause = -1, g.fetcher.Pause
		}
	}
	for i, source := range sources {
		g.failures[i] = fmt.Errorf("%s: %w", source, g.failures[i])
	}
	return fmt.Errorf("%s could not be had: %w", g.part.name(), errors.Join(g.failures...))
}

// try goes on with the part from one source, to the end. Where only one source's bytes may be in it, it stays with the
// source as long as that brings it forward.
func (g *getting) try(ctx context.Context, source Source) error {
	if g.alone && g.part.tag.Source != source.String() {
		if err := g.part.reset(); err != nil {
			return err
		}
	}
	began := g.part.size
	err := g.receive(ctx, source)
	for before := began; g.alone && err != nil && g.part.size > before && !errors.As(err, new(local)); {
		before = g.part.size
		err = g.receive(ctx, source)
	}
	if err != nil || g.part.matches() {
		return err
	}
	err = fmt.Errorf("%w: their SHA-256 is %s, not %s", ErrWrongBytes, g.part.digest(), g.want.SHA256)
	if reset := g.part.reset(); reset != nil {
		return reset
	}
	if began == 0 || g.alone {
		return final{err}
	}
	g.alone = true
	return g.try(ctx, source) // perhaps only the older bytes were wrong
}

// receive appends to the part what the source has beyond it.
func (g *getting) receive(ctx context.Context, source Source) error {
	ctx, watch := g.fetcher.watch(ctx)
	defer watch.stop()
	tag := ""
	if g.part.tag.Source == source.String() {
		tag = g.part.tag.Validator
	}
	s, err := source.open(ctx, g.fetcher, g.part.size, tag)
	if errors.Is(err, errBeyond) { // the part is longer than the file
		if err := g.part.reset(); err != nil {
			return err
		}
		s, err = source.open(ctx, g.fetcher, 0, "")
	}
	if err != nil {
		return slow(ctx, err)
	}
	defer s.body.Close()
	if err := g.accept(source, s); err != nil {
		return slow(ctx, err)
	}
	return slow(ctx, g.copy(ctx, source, s, watch))
}

// accept looks at what the source is about to give before any of it counts.
func (g *getting) accept(source Source, s *stream) error {
	if s.digest != "" && s.digest != g.want.SHA256 {
		return final{fmt.Errorf("%w: it states the SHA-256 %s, not %s", ErrWrongBytes, s.digest, g.want.SHA256)}
	}
	if s.at == 0 { // else what is here has been looked at
		kind, err := s.peek()
		if err != nil {
			return err
		}
		if kind != "" {
			return final{fmt.Errorf("it gives %s in place of the file", kind)}
		}
	}
	if s.size > 0 && g.want.Bytes > 0 && s.size != g.want.Bytes {
		return final{fmt.Errorf("it has %d bytes, not %d", s.size, g.want.Bytes)}
	}
	if s.changed {
		if err := g.part.reset(); err != nil {
			return err
		}
	}
	g.part.tag = tag{Source: source.String(), Validator: s.validator}
	if err := g.part.saveTag(); err != nil {
		return err
	}
	if total := g.total(s); total > 0 {
		return g.fetcher.room(g.part.file.Name(), total-g.part.size)
	}
	return nil
}

func (g *getting) total(s *stream) int64 {
	if g.want.Bytes > 0 {
		return g.want.Bytes
	}
	return max(s.size, 0)
}

// maxBytes is the size beyond which nothing is a model: a source that does not tell its size cannot fill the disk.
const maxBytes = 16 << 30

func (g *getting) copy(ctx context.Context, source Source, s *stream, watch *watch) error {
	total := g.total(s)
	limit := int64(maxBytes)
	if total > 0 {
		limit = total
	}
	skip := g.part.size - s.at // of a source that gives everything again
	buf := make([]byte, 256<<10)
	for {
		if ctx.Err() != nil { // what the system has read ahead comes without asking ctx
			return ctx.Err()
		}
		n, err := s.read(buf)
		watch.got(n)
		fresh := buf[:n]
		if drop := min(int64(n), skip); drop > 0 {
			fresh, skip = fresh[drop:], skip-drop
		}
		room := limit - g.part.size
		if werr := g.part.write(fresh[:min(int64(len(fresh)), room)]); werr != nil {
			return werr
		}
		if int64(len(fresh)) > room && !g.part.matches() {
			return final{fmt.Errorf("it gives more than %d bytes", limit)}
		}
		if g.progress != nil {
			g.progress(Progress{Source: source.String(), Done: g.part.size, Total: total})
		}
		switch {
		case int64(len(fresh)) > room: // the file, and something after it
			return nil
		case errors.Is(err, io.EOF) && (g.part.size < total || skip > 0):
			return fmt.Errorf("it ended after %d bytes: %w", g.part.size, io.ErrUnexpectedEOF)
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// room is an error where the disk has not enough left.
func (f *Fetcher) room(path string, need int64) error {
	free := f.Free
	if free == nil {
		free = FreeBytes
	}
	return Room(free, path, need)
}

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// peek names what the stream is where it is not a model's file, and leaves it unread.
func (s *stream) peek() (string, error) {
	if s.page {
		return "a web page", nil
	}
	head := make([]byte, 256)
	n, err := io.ReadFull(s.body, head)
	s.head = head[:n]
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return "", err
	}
	return models.Impostor(s.head), nil
}

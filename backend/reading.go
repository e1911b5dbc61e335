package backend

import (
	"errors"
	"runtime"
	"time"

	"fanous/backend/extract"
	"fanous/backend/pipeline"
	"fanous/backend/reader"
	"fanous/backend/trial"
)

// Child does what the environment asks of this process where it is a child of ours, and says whether it is: the
// program, which calls this before anything else, then ends.
func Child() bool { return trial.Child() || reader.Child() }

// files reads files and draws their pages.
type files interface {
	pipeline.Reader
	reader.Files
}

// setUpReading prepares what reads files: children on all cores but one, and two where there are two cores, for they step
// back behind whatever else runs; one more that draws what somebody looks at, and this process where there can be none.
func (b *Backend) setUpReading() {
	b.extractor = extract.New(extract.Options{})
	if b.cfg.Program == "" {
		return
	}
	cores := runtime.GOMAXPROCS(0)
	children := max(min(cores, 2), cores-1)
	total, _ := memory()
	options := reader.Options{
		Program: b.cfg.Program, Children: children, Limits: reader.Limits{Memory: childMemory(total, children)},
	}
	b.reader = reader.New(options)
	options.Children, options.Awaited, options.Limits.Stall, options.Limits.Total = 1, true, previewTime, previewTime
	b.drawer = reader.New(options)
}

// previewTime is how long a page may take to draw that somebody waits for. What draws it is started before.
const previewTime = 10 * time.Second

// childMemory is what a child may take, so that all of them at their limits leave a machine with total bytes of memory
// usable; 0: what is usual.
func childMemory(total int64, children int) int64 {
	if total == 0 {
		return 0
	}
	const least = 512 << 20 // enough for a large PDF
	return min(reader.DefaultLimits().Memory, max(least, total/int64(children+1)))
}

// files is what reads files.
func (b *Backend) files() files {
	if b.reader != nil {
		return b.reader
	}
	return b.extractor
}

// previews is what draws pages that somebody looks at: it does not wait for those that are indexed.
func (b *Backend) previews() files {
	if b.drawer != nil {
		return b.drawer
	}
	return b.extractor
}

func (b *Backend) closeReading() error {
	if b.reader == nil {
		b.extractor.Close()
		return nil
	}
	b.extractor.Close()
	return errors.Join(b.reader.Close(), b.drawer.Close())
}

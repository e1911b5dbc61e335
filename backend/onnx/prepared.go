package onnx

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	ort "github.com/yalue/onnxruntime_go"

	"fanous/models/fetch"
)

const (
	preparedGraph = "model.onnx"
	preparedData  = preparedGraph + ".data"
	originFile    = "origin.json"
	unfinished    = "part-" // begins the name of a folder that is being made

	// smallestPrepared is the size of a model, in bytes, from which preparing it is worth a folder.
	smallestPrepared = 16 << 20
	// preparedGrowth is the most that a model grows when it is prepared: the weights are there as they were and once more
	// as the kernels want them.
	preparedGrowth = 2
	// unusedPrepared is how long a form stays that nothing has opened.
	unusedPrepared = 14 * 24 * time.Hour
	// staleUnfinished is after what time nobody can still be making a form.
	staleUnfinished = 24 * time.Hour
	// preparedError is how far a prepared model's numbers may be from the model's own: less than the last digit shown.
	preparedError = 1e-4
)

// prepared keeps models in the form in which this machine's processor and library want them: the graph optimised, the
// weights arranged for the kernels and mapped from the file instead of copied into memory. Such a form opens several
// times faster and is nearly all file pages, which the system can take back; it fits one library and one kind of
// processor. It is only ever a saving: whatever goes wrong with it, the model itself is opened.
type prepared struct {
	mu     sync.Mutex
	dir    string          // empty: none is kept
	failed map[string]bool // folders of forms that could not be made or opened: not tried again by this process

	making sync.Mutex // one at a time: it takes the memory of a whole model
}

// KeepPrepared makes models that are opened from now on with a digest be kept in dir in the form that suits this machine,
// and removes from it what is of no use any more.
func (r *Runtime) KeepPrepared(dir string) {
	p := &r.prepared
	p.mu.Lock()
	p.dir = dir
	p.mu.Unlock()
	prune(dir, time.Now())
}

// folder is where the form of a model belongs for this processor and a version of the library; empty: none is wanted.
func (p *prepared) folder(digest, version string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dir == "" || digest == "" {
		return ""
	}
	processor := sha256.Sum256([]byte(fmt.Sprint(runtime.GOARCH, Processor(), Instructions())))
	folder := filepath.Join(p.dir, fmt.Sprintf("%s-%s-%s", digest[:min(16, len(digest))], version, hex.EncodeToString(processor[:4])))
	if p.failed[folder] {
		return ""
	}
	return folder
}

// giveUp removes a form that is no good.
func (p *prepared) giveUp(folder string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failed == nil {
		p.failed = map[string]bool{}
	}
	p.failed[folder] = true
	_ = os.RemoveAll(folder) // what is left of it is not intact
}

// origin says what a prepared form was made of. Its file's time is that of the last use.
type origin struct {
	Model    string     `json:"model"` // path
	Of       []fileMark `json:"of"`    // the model's files
	Prepared []fileMark `json:"prepared"`
}

// fileMark tells whether a file is still the same.
type fileMark struct {
	Name     string    `json:"name"`
	Bytes    int64     `json:"bytes"`
	Modified time.Time `json:"modified"`
}

// marks are those of a graph and of the files of weights beside it, which its own name begins.
func marks(graph string) ([]fileMark, error) {
	entries, err := os.ReadDir(filepath.Dir(graph))
	if err != nil {
		return nil, err
	}
	var all []fileMark
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), filepath.Base(graph)) {
			continue
		}
		info, err := os.Stat(filepath.Join(filepath.Dir(graph), e.Name())) // not the entry's: that of a link is its own
		if err != nil {
			return nil, err
		}
		all = append(all, fileMark{Name: e.Name(), Bytes: info.Size(), Modified: info.ModTime().UTC()})
	}
	return all, nil
}

func bytesOf(marks []fileMark) (n int64) {
	for _, m := range marks {
		n += m.Bytes
	}
	return n
}

func sameMarks(a, b []fileMark) bool {
	return slices.EqualFunc(a, b, func(a, b fileMark) bool {
		return a.Name == b.Name && a.Bytes == b.Bytes && a.Modified.Equal(b.Modified)
	})
}

// openPrepared opens the prepared form of a session's model, which it makes where there is none; nil: the model itself
// is to be opened.
func (s *Session) openPrepared(digest string) *ort.DynamicAdvancedSession {
	p := &s.runtime.prepared
	folder := p.folder(digest, s.runtime.version)
	if folder == "" {
		return nil
	}
	of, err := marks(s.path)
	if err != nil || bytesOf(of) < smallestPrepared {
		return nil
	}
	var session *ort.DynamicAdvancedSession
	if err = p.make(folder, s, of); err == nil {
		session, err = s.newSession(filepath.Join(folder, preparedGraph), mappedOptions)
	}
	if err != nil {
		p.giveUp(folder)
		return nil
	}
	now := time.Now()
	_ = os.Chtimes(filepath.Join(folder, originFile), now, now) // a form that seems unused is only made again
	return session
}

// intact says whether a form is there, whole, and made of the model's files as they are now.
func intact(folder, model string, of []fileMark) bool {
	o, err := readOrigin(folder)
	if err != nil || o.Model != model || !sameMarks(o.Of, of) {
		return false
	}
	here, err := marks(filepath.Join(folder, preparedGraph))
	return err == nil && len(here) > 0 && sameMarks(o.Prepared, here)
}

func readOrigin(folder string) (origin, error) {
	var o origin
	data, err := os.ReadFile(filepath.Join(folder, originFile))
	if err == nil {
		err = json.Unmarshal(data, &o)
	}
	return o, err
}

// make makes a session's form in its folder where it is not there, whole or not at all.
func (p *prepared) make(folder string, s *Session, of []fileMark) error {
	if intact(folder, s.path, of) {
		return nil
	}
	p.making.Lock()
	defer p.making.Unlock()
	if intact(folder, s.path, of) {
		return nil // by now
	}
	defer trimHeap() // the model was in memory
	dir := filepath.Dir(folder)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := fetch.Room(fetch.FreeBytes, folder, preparedGrowth*bytesOf(of)); err != nil {
		return err
	}
	part, err := os.MkdirTemp(dir, unfinished)
	if err != nil {
		return err
	}
	defer os.RemoveAll(part) // nothing is there any more once it has its name
	if err := s.writePrepared(part); err != nil {
		return err
	}
	o := origin{Model: s.path, Of: of}
	if o.Prepared, err = flush(part); err != nil {
		return err
	}
	data, err := json.Marshal(o)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(part, originFile), data, 0o644); err != nil {
		return err
	}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	return os.Rename(part, folder)
}

// writePrepared lets the library write the form of a model into a folder and compares the two.
func (s *Session) writePrepared(folder string) error {
	whole, err := s.newSession(s.path, func(o *ort.SessionOptions) error {
		return errors.Join(
			cpuOptions(o),
			o.SetOptimizedModelFilePath(filepath.Join(folder, preparedGraph)),
			o.AddSessionConfigEntry("session.optimized_model_external_initializers_file_name", preparedData),
			o.AddSessionConfigEntry("session.save_external_prepacked_constant_initializers", "1"),
		)
	})
	if err != nil {
		return err
	}
	want, err := s.probe(whole)
	if err := errors.Join(err, whole.Destroy()); err != nil {
		return err
	}
	trimHeap()
	mapped, err := s.newSession(filepath.Join(folder, preparedGraph), mappedOptions)
	if err != nil {
		return err
	}
	got, err := s.probe(mapped)
	if err := errors.Join(err, mapped.Destroy()); err != nil {
		return err
	}
	if !slices.EqualFunc(got, want, func(a, b float32) bool {
		return math.Abs(float64(a)-float64(b)) <= preparedError*max(1, math.Abs(float64(b)))
	}) {
		return errors.New("the prepared form does not compute what the model does")
	}
	return nil
}

// probe is what a session of the model makes of a few tokens that every vocabulary has.
func (s *Session) probe(session *ort.DynamicAdvancedSession) ([]float32, error) {
	probe := Session{runtime: s.runtime, path: s.path, inputs: s.inputs, output: s.output, session: session, secondAfter: -1}
	out, err := probe.run(context.Background(), []int64{0, 5, 6, 7, 2, 2, 8, 9, 2})
	return out.Data, err
}

// mappedOptions are those for a prepared form: there is nothing left to optimise, and optimising would undo it.
func mappedOptions(o *ort.SessionOptions) error {
	return errors.Join(cpuOptions(o), o.SetGraphOptimizationLevel(ort.GraphOptimizationLevelDisableAll))
}

// flush makes sure of a new form's files, so that no crash leaves one that only looks whole.
func flush(folder string) ([]fileMark, error) {
	made, err := marks(filepath.Join(folder, preparedGraph))
	if err != nil {
		return nil, err
	}
	for _, m := range made {
		f, err := os.OpenFile(filepath.Join(folder, m.Name), os.O_RDWR, 0)
		if err != nil {
			return nil, err
		}
		if err := errors.Join(f.Sync(), f.Close()); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// prune removes forms whose model is gone or another one, those that nothing has opened for long, and what was left
// unfinished. What cannot be removed is left to the next time.
func prune(dir string, now time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // not there: nothing is kept
	}
	for _, e := range entries {
		folder := filepath.Join(dir, e.Name())
		if strings.HasPrefix(e.Name(), unfinished) {
			if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > staleUnfinished {
				_ = os.RemoveAll(folder)
			}
			continue
		}
		if !useful(folder, now) {
			_ = os.RemoveAll(folder)
		}
	}
}

func useful(folder string, now time.Time) bool {
	info, err := os.Stat(filepath.Join(folder, originFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false
	case err != nil:
		return true // it cannot be known
	case now.Sub(info.ModTime()) > unusedPrepared:
		return false
	}
	o, err := readOrigin(folder)
	if err != nil {
		return false
	}
	of, err := marks(o.Model)
	return err == nil && sameMarks(o.Of, of)
}

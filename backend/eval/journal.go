package eval

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"fanous/backend/domain"
)

const (
	stale    = 7 * 24 * time.Hour // how long the work of an evaluation that was cut off is kept
	sweeping = 2 * time.Second    // how long somebody who only sweeps is waited for
)

// Files of the folder of evaluations.
const (
	lockFile  = "lock"    // held while an evaluation goes on
	indexFile = "eval.db" // the evaluation's own. It has the texts of a dataset, so it goes when that ends, however it ends
)

// workshop is the folder of one evaluation: its index and the pools that are made. The pools of a run that was cut off are
// what the next one of the same name goes on with.
type workshop struct {
	dir  string
	lock *flock.Flock
}

// openWorkshop makes or finds the folder called name below parent, and throws away what nobody came back for. Without a
// parent it is a temporary one.
func openWorkshop(ctx context.Context, parent, name string) (*workshop, error) {
	if parent == "" {
		dir, err := os.MkdirTemp("", "fanous-eval-")
		return &workshop{dir: dir}, err
	}
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return nil, fmt.Errorf("a folder for the evaluation: %w", err)
	}
	lock := flock.New(filepath.Join(parent, lockFile))
	soon, cancel := context.WithTimeout(ctx, sweeping)
	defer cancel()
	switch free, err := lock.TryLockContext(soon, time.Millisecond); {
	case free:
	case soon.Err() == nil:
		return nil, fmt.Errorf("a folder for the evaluation: %w", err)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	default:
		return nil, domain.Errorf(domain.CodeLocked, "wait for it, or cancel it first", "another evaluation is under way")
	}
	w := &workshop{dir: filepath.Join(parent, name), lock: lock}
	sweep(parent, name)
	if err := os.MkdirAll(w.dir, 0o700); err != nil {
		return nil, errors.Join(fmt.Errorf("a folder for the evaluation: %w", err), lock.Unlock())
	}
	return w, nil
}

// Sweep removes what evaluations have left below a folder that were killed or that nobody came back for. While one goes on
// it does nothing: that one has swept.
func Sweep(parent string) {
	if !exists(parent) {
		return
	}
	lock := flock.New(filepath.Join(parent, lockFile))
	if free, err := lock.TryLock(); err != nil || !free {
		return
	}
	sweep(parent, "")
	_ = lock.Unlock()
}

// sweep removes the indexes, and what is old but for the folder called keep.
func sweep(parent, keep string) {
	entries, _ := os.ReadDir(parent)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !e.IsDir() {
			continue
		}
		dir := filepath.Join(parent, e.Name())
		if e.Name() != keep && time.Since(info.ModTime()) > stale {
			_ = os.RemoveAll(dir)
			continue
		}
		_ = dropIndex(dir) // what cannot be removed now is tried again by the next start
	}
}

// dropIndex removes the index of an evaluation with what stands beside it.
func dropIndex(dir string) (failed error) {
	for _, suffix := range []string{"", "-wal", "-shm", ".lock"} {
		if err := os.Remove(filepath.Join(dir, indexFile+suffix)); !errors.Is(err, fs.ErrNotExist) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// close lets others in; done says that nobody needs to go on.
func (w *workshop) close(done bool) error {
	var err error
	if done || w.lock == nil {
		err = os.RemoveAll(w.dir)
	} else {
		err = dropIndex(w.dir)
	}
	if w.lock != nil {
		err = errors.Join(err, w.lock.Unlock())
	}
	return err
}

// journal keeps the pools that were made, one line of JSON each.
type journal struct {
	file *os.File
	have map[string]Pool // by query
}

// openJournal reads what an earlier run has left. A line that was cut off is no line.
func openJournal(path string) (*journal, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the evaluation's journal: %w", err)
	}
	j := &journal{file: f, have: map[string]Pool{}}
	whole := int64(0)
	for in := bufio.NewReader(f); ; {
		line, err := in.ReadBytes('\n')
		var p Pool
		if err != nil || json.Unmarshal(line, &p) != nil {
			break
		}
		j.have[p.Query] = p
		whole += int64(len(line))
	}
	if err := f.Truncate(whole); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if _, err := f.Seek(whole, io.SeekStart); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return j, nil
}

func (j *journal) add(p Pool) error {
	line, err := json.Marshal(p)
	if err == nil {
		_, err = j.file.Write(append(line, '\n'))
	}
	if err != nil {
		return fmt.Errorf("the evaluation's journal: %w", err)
	}
	j.have[p.Query] = p
	return nil
}

// nameOf names what depends on the given values.
func nameOf(values ...any) string {
	var all bytes.Buffer
	for _, v := range values {
		fmt.Fprintf(&all, "%q\n", fmt.Sprint(v))
	}
	sum := sha256.Sum256(all.Bytes())
	return hex.EncodeToString(sum[:12])
}

// exists says whether there is something at a path.
func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

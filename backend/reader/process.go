package reader

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"

	"fanous/backend/extract"
	"fanous/models/child"
)

// process is a child. It reads one file at a time.
type process struct {
	options Options
	cmd     *exec.Cmd
	in      io.WriteCloser // requests
	out     *os.File       // messages
	from    *receiver
	patience
	words child.Words   // its standard error
	ended chan struct{} // closed when it has ended, after which how says how
	how   error
	spent bool
	nap   *time.Timer // ends it after a rest; nil: it does not rest
}

const (
	// startTime is how long a child may take before it reads its first file.
	startTime = time.Minute
	// endTime is how long a child that is to end, or seems to, is waited for.
	endTime = 3 * time.Second
)

// start starts a child and waits until it is ready for a file. big is held while a large document comes in.
func start(ctx context.Context, opt Options, big *sync.Mutex) (*process, error) {
	set, err := json.Marshal(settings{Memory: opt.Limits.Memory, Awaited: opt.Awaited})
	if err != nil {
		return nil, err
	}
	p := &process{options: opt, cmd: exec.Command(opt.Program), ended: make(chan struct{})}
	// The collector is told before the start, which else would have it run over what packages make for themselves.
	child.Prepare(p.cmd, childEnv+"="+string(set), "GOGC="+garbageShare)
	prepare(p.cmd, opt.Awaited)
	p.cmd.Stderr = &p.words
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	// A pipe of our own: exec's would be closed when the child ends, with what it said last still in it.
	out, write, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, p.in.Close())
	}
	p.out, p.cmd.Stdout = out, write
	err = p.launch()
	write.Close()
	if err != nil {
		return nil, errors.Join(err, out.Close(), p.in.Close())
	}
	p.patience.child = schedule{p.cmd.Process.Pid}
	p.patience.begin(p.kill, Limits{Stall: startTime, Total: 10 * startTime})
	p.from = newReceiver(out, &p.patience, big, opt.Limits)
	defer context.AfterFunc(ctx, p.kill)()
	hello, err := p.from.next()
	if err == nil && !hello.Ready {
		err = errors.New("it said something else than that it is ready")
	}
	if err != nil {
		defer p.end()
		return nil, fmt.Errorf("%w: %s", err, p.epitaph())
	}
	return p, nil
}

// launch starts the process and keeps the thread that starts it until the process has ended: where a system ends a
// child with its parent, the parent is that thread.
func (p *process) launch() error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.cmd.Start()
		if err != nil {
			started <- err
			return
		}
		release := hold(p.cmd.Process, p.options.Limits.Memory)
		started <- nil
		p.how = p.cmd.Wait()
		release()
		close(p.ended)
	}()
	return <-started
}

func (p *process) kill() { _ = p.cmd.Process.Kill() } // an error says that it has ended

// end ends the child and waits for that, unless the system does not let it go: on a network that does not answer.
func (p *process) end() {
	p.kill()
	p.in.Close()
	select {
	case <-p.ended:
	case <-time.After(endTime):
	}
	p.out.Close()
}

// rest lets the child wait for its next file; late is called when there is none for long.
func (p *process) rest(late func()) { p.nap = time.AfterFunc(idleTime, late) }

// wake says whether a child that rested is still there.
func (p *process) wake() bool {
	p.nap.Stop()
	select {
	case <-p.ended:
		p.end()
		return false
	default:
		return true
	}
}

// read reads a file within limits. Its error is a *Lost where the child cannot go on for the file's sake; after any
// error the child is of no more use.
func (p *process) read(ctx context.Context, path string, limit Limits, each func(extract.Found) error) error {
	return p.ask(ctx, request{Path: []byte(path)}, limit, func() (done, error) { return p.from.file(limit, each) })
}

// draw draws pages of a file, as read reads one.
func (p *process) draw(ctx context.Context, path string, what drawing, limit Limits, each func(extract.Drawn) error) error {
	return p.ask(ctx, request{Path: []byte(path), Draw: &what}, limit, func() (done, error) { return p.from.pages(limit, what, each) })
}

// ask sends a request and receives the answer.
func (p *process) ask(ctx context.Context, what request, limit Limits, receive func() (done, error)) error {
	ask, err := json.Marshal(what)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, p.kill)()
	p.patience.begin(p.kill, limit)
	var last done
	if _, err = p.in.Write(ask); err == nil {
		last, err = receive()
	}
	var refused *refusal
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &refused):
		return refused.error
	case err != nil:
		return &Lost{Reason: p.obituary(err)}
	}
	p.spent = last.Spent
	if last.Err != "" {
		return &undrawn{last.Err}
	}
	return nil
}

// obituary says why a child was lost, whose last message could not be read for err.
func (p *process) obituary(err error) string {
	if limit := tooMuch(err); limit != nil {
		return limit.Error()
	}
	if p.late.Load() {
		return "reading it did not come to an end"
	}
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, os.ErrClosed) && !errors.Is(err, syscall.EPIPE) {
		return "the process that read it went wrong: " + err.Error()
	}
	how := p.epitaph()
	if strings.Contains(how, "out of memory") || strings.Contains(how, "cannot allocate memory") || p.exit() == exitMemory {
		return "reading it takes more memory than the " + mebibytes(p.options.Limits.Memory) + " that a file may take"
	}
	return "it ended the process that read it: " + how
}

// epitaph is how a child ended that no longer speaks.
func (p *process) epitaph() string {
	select {
	case <-p.ended:
	case <-time.After(endTime):
		return "it fell silent"
	}
	if p.how == nil {
		return "it ended without a word"
	}
	return p.words.Epitaph(p.how)
}

// exit is the exit status of a child, -1 where it has none.
func (p *process) exit() int {
	select {
	case <-p.ended:
		return p.cmd.ProcessState.ExitCode()
	default:
		return -1
	}
}

package onnx

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	ort "github.com/yalue/onnxruntime_go"

	"fanous/models"
)

// Names that encoders give their inputs.
const (
	inputIDs   = "input_ids"
	inputMask  = "attention_mask"
	inputTypes = "token_type_ids"
)

// ErrClosed is returned by what was closed.
var ErrClosed = errors.New("closed")

// Session is an encoder model ready to run, one text or pair a Run at its exact length: padding
// would cost work, and with quantised weights it would change the numbers. A Session is safe for
// concurrent use; on the CPU as many Runs go on at once as its Runtime is wide, each on one thread.
type Session struct {
	runtime *Runtime
	path    string
	inputs  []string
	output  Port
	device  Device
	turns   chan struct{} // a token each for the Runs under way on a device other than the CPU; nil there

	// secondAfter is the token after which token types are 1; -1: none. See Tokenizer.secondAfter.
	secondAfter int64

	busy atomic.Int64 // nanoseconds

	mu      sync.RWMutex // held for reading by every Run: Close waits for them
	session *ort.DynamicAdvancedSession
}

// Tensor is the output of a Run.
type Tensor struct {
	Shape []int64
	Data  []float32
}

// OpenOptions say how a model is opened. The zero value is good for every model on the CPU.
type OpenOptions struct {
	// Output names the output wanted. Empty: the one named "logits" or "last_hidden_state", or else the first.
	Output string
	Device Device // empty: CPU
	// Profile is the beginning of the name of a file that the library writes, when the session is closed, about
	// every operator that ran; see ReadPlacement. Empty: none.
	Profile string
	// Threads is how many work on one Run on the CPU; 0: one, with as many Runs at a time as there are cores, which is the
	// quicker way. More is for comparisons, on a model as its file has it.
	Threads int
	// Digest names the model's content, for Runtime.KeepPrepared. Empty: the model is opened as it is.
	Digest string
}

// OpenModel loads the session and the tokenizer of a model's folder, both at the same time.
func (r *Runtime) OpenModel(dir string, o OpenOptions) (*Session, *Tokenizer, error) {
	var (
		tokenizer *Tokenizer
		tokenErr  error
		loading   sync.WaitGroup
	)
	loading.Go(func() { tokenizer, tokenErr = r.Tokenizer(filepath.Join(dir, models.TokenizerFile)) })
	session, err := r.Open(filepath.Join(dir, models.GraphFile), o)
	loading.Wait()
	if err = errors.Join(err, tokenErr); err == nil {
		session.secondAfter = tokenizer.secondAfter()
		return session, tokenizer, nil
	}
	if session != nil {
		err = errors.Join(err, session.Close())
	}
	if tokenizer != nil {
		err = errors.Join(err, tokenizer.Close())
	}
	return nil, nil, err
}

// Open loads the model at path. A device that cannot run it is an error; what of the model the device leaves to the
// CPU is not.
func (r *Runtime) Open(path string, o OpenOptions) (*Session, error) {
	s, err := r.open(path, o)
	if err != nil {
		return nil, fmt.Errorf("the model %s: %w", path, err)
	}
	return s, nil
}

func (r *Runtime) open(path string, o OpenOptions) (*Session, error) {
	s := &Session{runtime: r, path: path, device: cmp.Or(o.Device, CPU), secondAfter: -1}
	if n := s.device.runs(); n > 0 {
		s.turns = make(chan struct{}, n)
	}
	var err error
	if s.inputs, s.output, err = describe(path, o.Output); err != nil {
		return nil, err
	}
	if err := s.openFile(o); err != nil {
		return nil, err
	}
	return s, nil
}

// Describe gives the output that a session over the model at path would have, and refuses what Open would
// refuse for its inputs and outputs. It reads the file's description only, not its weights.
func Describe(path, output string) (Port, error) {
	_, port, err := describe(path, output)
	if err != nil {
		return Port{}, fmt.Errorf("the model %s: %w", path, err)
	}
	return port, nil
}

func describe(path, output string) (inputs []string, port Port, err error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, Port{}, err
	case !info.Mode().IsRegular():
		return nil, Port{}, errors.New("not a file")
	case info.Size() == 0:
		return nil, Port{}, errors.New("the file is empty")
	}
	g, err := readGraph(path)
	if err != nil {
		return nil, Port{}, err
	}
	if port, err = chooseOutput(g.outputs, output); err != nil {
		return nil, Port{}, err
	}
	inputs, err = chooseInputs(g.inputs)
	return inputs, port, err
}

func chooseOutput(outputs []Port, name string) (Port, error) {
	names := []string{name}
	if name == "" {
		names = []string{"logits", "last_hidden_state", outputs[0].Name}
	}
	for _, want := range names {
		for _, p := range outputs {
			if p.Name != want {
				continue
			}
			if p.Type != typeFloat {
				return Port{}, fmt.Errorf("its output %q is not of 32-bit floats", p.Name)
			}
			return p, nil
		}
	}
	return Port{}, fmt.Errorf("it has no output %q", name)
}

func chooseInputs(inputs []Port) ([]string, error) {
	var names []string
	for _, p := range inputs {
		if !slices.Contains([]string{inputIDs, inputMask, inputTypes}, p.Name) {
			return nil, fmt.Errorf("it wants an input %q, which no text encoder of ours has", p.Name)
		}
		if p.Type != typeInt64 {
			return nil, fmt.Errorf("its input %q is not of 64-bit integers", p.Name)
		}
		names = append(names, p.Name)
	}
	if !slices.Contains(names, inputIDs) {
		return nil, fmt.Errorf("it has no input %q: not a text encoder", inputIDs)
	}
	return names, nil
}

// openFile opens a session's own file, or its prepared form where that is wanted.
func (s *Session) openFile(o OpenOptions) (err error) {
	if s.device == CPU && o.Profile == "" && o.Threads == 0 { // both tell of the model as it is
		if s.session = s.openPrepared(o.Digest); s.session != nil {
			return nil
		}
	}
	s.session, err = s.newSession(s.path, func(options *ort.SessionOptions) error {
		return s.runtime.configure(options, s.device, o)
	})
	return err
}

// newSession opens a file of the session's model with such options.
func (s *Session) newSession(path string, set func(*ort.SessionOptions) error) (*ort.DynamicAdvancedSession, error) {
	o, err := ort.NewSessionOptions()
	if err != nil {
		return nil, err
	}
	defer o.Destroy()
	if err := set(o); err != nil {
		return nil, err
	}
	return ort.NewDynamicAdvancedSession(path, s.inputs, []string{s.output.Name}, o)
}

// configure sets the options of a session over a model's own file.
func (r *Runtime) configure(o *ort.SessionOptions, d Device, want OpenOptions) error {
	var err error
	switch {
	case d != CPU:
		err = errors.Join(o.SetGraphOptimizationLevel(ort.GraphOptimizationLevelEnableAll), r.use(d, o))
	case want.Threads > 0:
		err = o.SetIntraOpNumThreads(want.Threads)
	default:
		err = cpuOptions(o)
	}
	if err == nil && want.Profile != "" {
		err = o.EnableProfiling(want.Profile)
	}
	return err
}

func cpuOptions(o *ort.SessionOptions) error {
	return errors.Join(
		o.SetIntraOpNumThreads(1), // cores are filled by concurrent Runs: twice one thread, against 1.9 times
		o.SetInterOpNumThreads(1),
		o.SetExecutionMode(ort.ExecutionModeSequential),
		o.SetGraphOptimizationLevel(ort.GraphOptimizationLevelEnableAll),
		// The fused kernel is the slower one on a CPU, by 6 to 10%.
		o.AddSessionConfigEntry("optimization.disable_specified_optimizers", "SkipLayerNormFusion"),
	)
}

// Busy is how long the library has worked for this session, all Runs together.
func (s *Session) Busy() time.Duration { return time.Duration(s.busy.Load()) }

// Path is the model's file.
func (s *Session) Path() string { return s.path }

// Output describes what Run gives.
func (s *Session) Output() Port { return s.output }

// Runtime is what the session runs on.
func (s *Session) Runtime() *Runtime { return s.runtime }

// Run gives the model one sequence of token ids (at least one) and returns its output for it. It
// waits for a core, or for its turn on another device. The end of ctx stops a Run that is under way too, between two operators.
func (s *Session) Run(ctx context.Context, ids []int64) (Tensor, error) {
	if len(ids) == 0 {
		return Tensor{}, errors.New("no tokens to run")
	}
	turns := s.runtime.slots
	if s.turns != nil { // another device does the work: it takes no core
		turns = s.turns
	}
	if err := acquire(ctx, turns); err != nil {
		return Tensor{}, err
	}
	defer func() { <-turns }()
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.session == nil {
		return Tensor{}, fmt.Errorf("the model %s: %w", s.path, ErrClosed)
	}
	out, err := s.run(ctx, ids)
	if ctx.Err() != nil {
		return Tensor{}, ctx.Err()
	}
	if err != nil {
		return Tensor{}, fmt.Errorf("the model %s: %w", s.path, err)
	}
	return out, nil
}

func (s *Session) run(ctx context.Context, ids []int64) (Tensor, error) {
	var mask []int64
	if slices.Contains(s.inputs, inputMask) {
		mask = slices.Repeat([]int64{1}, len(ids))
	}
	return s.runShape(ctx, ort.NewShape(1, int64(len(ids))), ids, mask)
}

// runShape runs the session on inputs of a shape. The mask is only looked at where the model has one.
func (s *Session) runShape(ctx context.Context, shape ort.Shape, ids, mask []int64) (out Tensor, err error) {
	inputs := make([]ort.Value, 0, len(s.inputs))
	defer func() {
		for _, v := range inputs {
			err = errors.Join(err, v.Destroy())
		}
	}()
	for _, name := range s.inputs {
		data := ids
		switch name {
		case inputMask:
			data = mask
		case inputTypes:
			data = tokenTypes(ids, int(shape[len(shape)-1]), s.secondAfter)
		}
		tensor, err := ort.NewTensor(shape, data)
		if err != nil {
			return Tensor{}, err
		}
		inputs = append(inputs, tensor)
	}
	outputs := []ort.Value{nil} // nil: the runtime makes it, in the size it turns out to have
	start := time.Now()
	err = s.runWithin(ctx, inputs, outputs)
	s.busy.Add(int64(time.Since(start)))
	if err != nil {
		return Tensor{}, err
	}
	defer func() { err = errors.Join(err, outputs[0].Destroy()) }()
	tensor, ok := outputs[0].(*ort.Tensor[float32])
	if !ok {
		return Tensor{}, fmt.Errorf("its output %q is not of 32-bit floats", s.output.Name)
	}
	return Tensor{Shape: slices.Clone(tensor.GetShape()), Data: tensor.GetData()}, nil
}

// runWithin runs the session and tells it to stop when ctx ends.
func (s *Session) runWithin(ctx context.Context, inputs, outputs []ort.Value) error {
	if ctx.Done() == nil {
		return s.session.Run(inputs, outputs)
	}
	options, err := ort.NewRunOptions()
	if err != nil {
		return err
	}
	defer options.Destroy()
	terminated := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(terminated)
		_ = options.Terminate() // it fails only on options that do not exist
	})
	err = s.session.RunWithOptions(inputs, outputs, options)
	if !stop() {
		<-terminated // the options must outlive the call above
	}
	return err
}

// Close frees the model after the Runs under way. Closing twice is harmless.
func (s *Session) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session == nil {
		return nil
	}
	err := s.session.Destroy()
	s.session = nil
	trimHeap()
	return err
}

// Device is what the model runs on, for people.
func (s *Session) Device() string { return string(s.device) }

package trial

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"fanous/backend/domain"
	"fanous/backend/onnx"
	"fanous/models"
	"fanous/models/child/childtest"
	"fanous/models/tinyxlmr"
)

// faultEnv makes the child of a test end as a damaged library or driver would end it.
const faultEnv = "FANOUS_TEST_FAULT"

func TestMain(m *testing.M) {
	if fault := os.Getenv(faultEnv); fault != "" && os.Getenv(childEnv) != "" {
		stage, kind, _ := strings.Cut(fault, " ")
		fmt.Println("a library may speak first")
		fmt.Printf("{\"stage\":%q}\n", stage)
		switch kind {
		case "segv":
			_ = syscall.Kill(os.Getpid(), syscall.SIGSEGV)
		case "ill":
			_ = syscall.Kill(os.Getpid(), syscall.SIGILL)
		case "kill":
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		case "exit":
			os.Exit(7)
		}
		_, _ = io.Copy(io.Discard, os.Stdin) // until the parent is gone
		os.Exit(1)
	}
	if Child() {
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func program(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func library() string { return os.Getenv("FANOUS_RUNTIME") }

func starter(t *testing.T) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(os.Getenv("FANOUS_MODELS"), "*", models.GraphFile))
	if err != nil || len(found) == 0 {
		t.Fatal("FANOUS_MODELS has no starter model (go tool mage test sets it)", err)
	}
	return filepath.Dir(found[0])
}

// tiny is a folder of its own with the small reranker, whose weights are made up.
func tiny(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), tinyxlmr.Name)
	if _, err := tinyxlmr.Write(dir, filepath.Join(starter(t), models.TokenizerFile)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// copyOf is a folder with the same files, which are replaced, not changed.
func copyOf(t *testing.T, dir string) string {
	t.Helper()
	other := t.TempDir()
	for _, name := range []string{models.GraphFile, models.TokenizerFile, models.ManifestFile} {
		if err := os.Link(filepath.Join(dir, name), filepath.Join(other, name)); err != nil {
			t.Fatal(err)
		}
	}
	return other
}

func try(t *testing.T, s Subject) Result {
	t.Helper()
	r, err := Runner{Program: program(t)}.Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if r.At.IsZero() || !r.Passed() && r.Reason == "" {
		t.Errorf("%+v", r)
	}
	return r
}

func TestTheLibraryAlone(t *testing.T) {
	if r := try(t, Subject{Library: library(), Device: onnx.CPU}); !r.Passed() || r.Version == "" {
		t.Errorf("%+v", r)
	}
	if r := try(t, Subject{Library: filepath.Join(t.TempDir(), "none.so"), Device: onnx.CPU}); r.Code != domain.CodeLibraryMissing || r.Hint == "" {
		t.Errorf("%+v", r)
	}
}

func TestAModelOnTheCPU(t *testing.T) {
	for name, s := range map[string]Subject{
		"reranker": {Model: tiny(t)}, // made-up weights: nothing to judge
		"embedder": {Model: starter(t), Judge: true},
	} {
		s.Library, s.Device = library(), onnx.CPU
		r := try(t, s)
		if !r.Passed() || len(r.Scores) != len(known()) || !(r.PerSecond > 0) || !(r.LoadMS > 0) || r.Tokens < 100 || r.Version == "" {
			t.Errorf("%s: %+v", name, r)
		}
		if runtime.GOOS == "linux" && name == "embedder" && r.Bytes < 10<<20 {
			t.Errorf("%s: %d bytes", name, r.Bytes)
		}
	}
}

// TestCUDAWithoutAGraphicsProcessor: asked for on a machine without one, it is refused with the reason before the
// model is read. With FANOUS_TEST_CUDA this is such a machine: see cuda_test.go.
func TestCUDAWithoutAGraphicsProcessor(t *testing.T) {
	if os.Getenv("FANOUS_TEST_CUDA") != "" {
		t.Skip("this machine has one")
	}
	r := try(t, Subject{Library: library(), Model: tiny(t), Device: onnx.CUDA})
	if r.Code != domain.CodeDeviceAbsent || !strings.Contains(r.Reason, "CUDA") || len(r.Scores) != 0 {
		t.Errorf("%+v", r)
	}
}

func TestWrongModels(t *testing.T) {
	const small = `{"version":"1.0","added_tokens":[{"id":0,"content":"<s>","special":true,"single_word":false,"lstrip":false,"rstrip":false,"normalized":false},
{"id":2,"content":"</s>","special":true,"single_word":false,"lstrip":false,"rstrip":false,"normalized":false}],"pre_tokenizer":null,"normalizer":null,"post_processor":null,"decoder":null,
"model":{"type":"Unigram","unk_id":3,"vocab":[["<s>",0.0],["<pad>",0.0],["</s>",0.0],["<unk>",0.0],["a",-5.0]],"byte_fallback":false}}`
	put := func(name, content string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, name)
			if err := errors.Join(os.Remove(path), os.WriteFile(path, []byte(content), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
	}
	whole := tiny(t)
	for name, c := range map[string]struct {
		spoil func(*testing.T, string)
		code  domain.Code
	}{
		"a tokenizer of another vocabulary": {put(models.TokenizerFile, small), domain.CodeModelTokenizer},
		"no tokenizer":                      {put(models.TokenizerFile, "{}"), domain.CodeModelTokenizer},
		"no graph":                          {put(models.GraphFile, "what"), domain.CodeModelFailed},
		"no manifest":                       {put(models.ManifestFile, "{}"), domain.CodeModelManifest},
		"an embedder as a reranker": {func(t *testing.T, dir string) {
			graph, err := os.ReadFile(filepath.Join(starter(t), models.GraphFile))
			if err != nil {
				t.Fatal(err)
			}
			put(models.GraphFile, string(graph))(t, dir)
		}, domain.CodeModelKind},
	} {
		dir := copyOf(t, whole)
		c.spoil(t, dir)
		if r := Run(t.Context(), Subject{Library: library(), Model: dir, Device: onnx.CPU}, func(string) {}); r.Code != c.code || r.Hint == "" {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// TestALostChild: what ends a process is a result, whose blame depends on how far the trial was.
func TestALostChild(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	for _, c := range []struct {
		fault  string
		device onnx.Device
		code   domain.Code
		says   string
	}{
		{"library segv", onnx.CPU, domain.CodeLibraryCrashed, "SIGSEGV"},
		{"library segv", onnx.CUDA, domain.CodeLibraryCrashed, "SIGSEGV"},
		{"library ill", onnx.CPU, domain.CodeProcessorOld, "SIGILL"},
		{"model ill", onnx.CPU, domain.CodeProcessorOld, "SIGILL"},
		{"model segv", onnx.CPU, domain.CodeModelFailed, "SIGSEGV"},
		{"model kill", onnx.CUDA, domain.CodeDeviceCrashed, "killed"},
		{"device segv", onnx.CUDA, domain.CodeDeviceCrashed, "SIGSEGV"},
		{"device exit", onnx.CUDA, domain.CodeDeviceCrashed, "exit status 7"},
	} {
		t.Setenv(faultEnv, c.fault)
		r := try(t, Subject{Library: library(), Device: c.device})
		if r.Code != c.code || !strings.Contains(r.Reason, c.says) {
			t.Errorf("%s on %s: %+v", c.fault, c.device, r)
		}
	}
}

// TestAChildThatHangs is stopped, and is no proof against the device but for its time.
func TestAChildThatHangs(t *testing.T) {
	for _, c := range []struct {
		fault  string
		device onnx.Device
		code   domain.Code
	}{
		{"device hang", onnx.CUDA, domain.CodeDeviceSlow},
		{"model hang", onnx.CPU, domain.CodeModelFailed},
		{"library hang", onnx.CPU, domain.CodeLibraryFailed},
	} {
		t.Setenv(faultEnv, c.fault)
		r, err := Runner{Program: program(t), Limit: time.Second}.Run(t.Context(), Subject{Device: c.device})
		if err != nil || r.Code != c.code {
			t.Errorf("%s: %+v, %v", c.fault, r, err)
		}
	}
}

func TestNoChildAtAll(t *testing.T) {
	if r, err := (Runner{Program: filepath.Join(t.TempDir(), "none")}).Run(t.Context(), Subject{}); err == nil {
		t.Errorf("%+v", r)
	}
}

// TestAnOrphanEnds: a child whose parent is gone does not stay until its trial is over.
func TestAnOrphanEnds(t *testing.T) {
	subject, err := json.Marshal(Subject{Library: library(), Model: starter(t), Device: onnx.CPU})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program(t))
	cmd.Env = append(os.Environ(), childEnv+"="+string(subject))
	childtest.EndsWithItsParent(t, cmd)
}

func TestJudge(t *testing.T) {
	good := []float64{5, -5, 4, -6, 3, -2}
	with := func(i int, x float64) []float64 {
		out := append([]float64{}, good...)
		out[i] = x
		return out
	}
	for name, c := range map[string]struct {
		scores, cpu []float64
		judge, ok   bool
	}{
		"good":                     {good, nil, true, true},
		"not a number":             {with(3, math.NaN()), nil, false, false},
		"infinite":                 {with(0, math.Inf(1)), nil, false, false},
		"prefers the other":        {with(4, -2.5), nil, true, false},
		"all alike":                {[]float64{1, 1, 1, 1, 1, 1}, nil, true, false},
		"prefers, but who knows":   {with(4, -2.5), nil, false, true},
		"as the CPU":               {good, good, true, true},
		"nearly as the CPU":        {with(0, 5.04), good, true, true},
		"not quite as the CPU":     {with(0, 5.06), good, true, false},
		"not as the CPU":           {with(5, -7), good, true, false},
		"small, nearly as the CPU": {[]float64{0.005, 0}, []float64{0, 0}, false, true},
		"small, not as the CPU":    {[]float64{0.02, 0}, []float64{0, 0}, false, false},
		"as the CPU, not a number": {with(1, math.NaN()), with(1, math.NaN()), false, false},
	} {
		if _, err := judge(Subject{Device: onnx.CUDA, Judge: c.judge}, c.scores, c.cpu); (err == nil) != c.ok || !c.ok && domain.CodeOf(err) != domain.CodeDeviceDisagrees {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDeviceFault: messages as the libraries give them.
func TestDeviceFault(t *testing.T) {
	const load = "provider_bridge_ort.cc:2043 onnxruntime::Provider& onnxruntime::ProviderLibrary::Get() [ONNXRuntimeError] : 1 : FAIL : Failed to load library /x/libonnxruntime_providers_cuda.so with error: "
	for message, code := range map[string]domain.Code{
		"CUDA execution provider is not enabled in this build.":                                  domain.CodeDeviceAbsent,
		"CUDA does not exist on this operating system":                                           domain.CodeDeviceAbsent,
		"Your platform or onnxruntime library does not support CoreML":                           domain.CodeDeviceAbsent,
		load + "libcuda.so.1: cannot open shared object file: No such file or directory":         domain.CodeDeviceNoDriver,
		load + "libcublasLt.so.13: cannot open shared object file: No such file or directory":    domain.CodeDeviceFailed,
		"CUDA failure 35: CUDA driver version is insufficient for CUDA runtime version ; GPU=-1": domain.CodeDeviceOldDriver,
		"CUDA failure 100: no CUDA-capable device is detected ; GPU=-1":                          domain.CodeDeviceNone,
		"CUDA failure 209: no kernel image is available for execution on the device":             domain.CodeDeviceNone,
		"bfc_arena.cc: Failed to allocate memory for requested buffer of size 1024008192":        domain.CodeDeviceMemory,
		"CUDA failure 2: out of memory ; GPU=0":                                                  domain.CodeDeviceMemory,
		"something else altogether":                                                              domain.CodeDeviceFailed,
	} {
		if r := deviceFault(onnx.CUDA, message); r.Code != code || r.Reason == "" {
			t.Errorf("%s: %+v, want %s", message, r, code)
		}
	}
}

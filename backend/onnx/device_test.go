package onnx

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestParseDevice(t *testing.T) {
	for _, d := range Devices() {
		if got, ok := ParseDevice(strings.ToLower(string(d))); !ok || got != d {
			t.Errorf("%s: %q %v", d, got, ok)
		}
	}
	if d, ok := ParseDevice("abacus"); ok {
		t.Errorf("an abacus is %q", d)
	}
	if got := Devices(); !slices.Equal(got, []Device{CUDA, DirectML, CoreML, CPU}) {
		t.Errorf("order %v", got)
	}
}

func TestOn(t *testing.T) {
	for goos, want := range map[string][]Device{
		"linux": {CUDA, CPU}, "windows": {CUDA, DirectML, CPU}, "darwin": {CoreML, CPU},
	} {
		var can []Device
		for _, d := range Devices() {
			if d.On(goos) == "" {
				can = append(can, d)
			}
		}
		if !slices.Equal(can, want) {
			t.Errorf("%s: %v, want %v", goos, can, want)
		}
	}
}

// TestThisLibraryHasNoOtherDevice: the one of the build is for processors only, and says so without loading anything.
func TestThisLibraryHasNoOtherDevice(t *testing.T) {
	if runtime.GOOS == "darwin" {
		t.Skip("every library for macOS has CoreML")
	}
	path := os.Getenv("FANOUS_RUNTIME")
	rt, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range Devices() {
		if err := rt.Offers(d); (err == nil) != (d == CPU) {
			t.Errorf("%s: %v", d, err)
		}
	}
	if s, err := rt.Open(filepath.Join("testdata", "missing"), OpenOptions{Device: "Abacus"}); err == nil {
		t.Errorf("opened %v", s)
	}
}

func TestParsePlacement(t *testing.T) {
	event := func(provider, operator, held string) string {
		return `{"cat":"Node","args":{"op_name":"` + operator + `","provider":"` + provider + `","mem_arena_held":"` + held + `"}}`
	}
	many := func(n int, one string) []string { return slices.Repeat([]string{one}, n) }
	const cuda, cpu = "CUDAExecutionProvider", "CPUExecutionProvider"
	session := `{"cat":"Session","name":"model_loading_uri","args":{}}`
	for name, c := range map[string]struct {
		events []string
		want   Device // empty: an error
		bytes  int64
	}{
		"all on the CPU":       {many(24, event(cpu, "MatMulInteger", "7")), CPU, 7},
		"all on the device":    {many(24, event(cuda, "FusedMatMul", "9")), CUDA, 9},
		"shapes on the CPU":    {append(many(24, event(cuda, "MultiHeadAttention", "9")), event(cpu, "Shape", "7"), event(cpu, "Gather", "7")), CUDA, 9},
		"one product in a few": {append(many(24, event(cuda, "Gemm", "9")), event(cpu, "MatMul", "7")), CUDA, 9},
		"half of the products": {append(many(24, event(cuda, "MatMul", "9")), many(24, event(cpu, "MatMulInteger", "7"))...), CPU, 7},
		"int8 fell back":       {append(many(90, event(cuda, "LayerNormalization", "9")), many(24, event(cpu, "MatMulInteger", "7"))...), CPU, 7},
		"one node of CoreML":   {many(1, event("CoreMLExecutionProvider", "CoreMLExecutionProvider_CoreML_1_0", "0")), CoreML, 0},
		"one node of DirectML": {many(1, event("DmlExecutionProvider", "DmlFusedNode_0_0", "0")), DirectML, 0},
		"nothing that counts":  {many(3, event(cpu, "Shape", "7")), "", 0},
		"nothing":              {nil, "", 0},
	} {
		p, err := parsePlacement([]byte("[" + strings.Join(append([]string{session}, c.events...), ",") + "]"))
		if (err == nil) != (c.want != "") {
			t.Errorf("%s: %v", name, err)
		} else if err == nil && (p.Device() != c.want || p.Bytes != c.bytes) {
			t.Errorf("%s: on %s with %d bytes, want %s with %d", name, p.Device(), p.Bytes, c.want, c.bytes)
		}
	}
	if _, err := parsePlacement([]byte("[{")); err == nil {
		t.Error("half a profile was read")
	}
}

// TestAProfileSaysWhereAModelRan, with a real library and model, and is gone afterwards.
func TestAProfileSaysWhereAModelRan(t *testing.T) {
	rt, err := Load(os.Getenv("FANOUS_RUNTIME"))
	if err != nil {
		t.Fatal(err)
	}
	graphs, err := filepath.Glob(filepath.Join(os.Getenv("FANOUS_MODELS"), "*", "model.onnx"))
	if err != nil || len(graphs) == 0 {
		t.Fatal("FANOUS_MODELS has no starter model (go tool mage test sets it)", err)
	}
	dir := filepath.Join(t.TempDir(), "a [name] like any other")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	prefix := filepath.Join(dir, "profile")
	s, err := rt.Open(graphs[0], OpenOptions{Profile: prefix})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(t.Context(), []int64{0, 5, 6, 2}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	p, err := ReadPlacement(prefix)
	if err != nil || p.Device() != CPU || p.Products[CPU] < 12 || p.Bytes == 0 {
		t.Errorf("%+v, %v", p, err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	if _, err := ReadPlacement(prefix); err == nil {
		t.Error("a profile was read that is not there")
	}
}

func TestCompanions(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"libonnxruntime.so", "libonnxruntime_providers_cuda.so", "onnxruntime_providers_shared.dll", "libcudart.so.13", "cublas64_13.dll",
		"libz.so", "manifest.json", "nvidia-cuda-License.txt",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	paths, err := companions(filepath.Join(dir, "libonnxruntime.so"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range paths {
		names = append(names, filepath.Base(p))
	}
	if want := []string{"cublas64_13.dll", "libcudart.so.13", "libz.so"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}

// TestPreloadFindsTheOrder: three libraries, the first by name linked to the second and that to the third, lie in a
// folder in which no loader looks.
func TestPreloadFindsTheOrder(t *testing.T) {
	compiler, err := exec.LookPath("cc")
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("no compiler, or no Linux: ", err)
	}
	build, dir := t.TempDir(), t.TempDir()
	for _, lib := range [][]string{{"c", ""}, {"b", "c"}, {"a", "b"}} {
		name, needs := lib[0], lib[1]
		source := "int fanous_test_" + name + "(void) { return 1; }\n"
		args := []string{"-shared", "-fPIC", "-Wl,--no-as-needed", "-Wl,-soname,lib" + name + "_fanous.so.1", "-o", filepath.Join(dir, "lib"+name+"_fanous.so.1"), "-x", "c", "-"}
		if needs != "" {
			args = append(args, "-x", "none", filepath.Join(dir, "lib"+needs+"_fanous.so.1"))
		}
		cc := exec.Command(compiler, args...)
		cc.Dir, cc.Stdin = build, strings.NewReader(source)
		if out, err := cc.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	rt := &Runtime{path: filepath.Join(dir, "libonnxruntime.so")}
	if err := openLibrary(filepath.Join(dir, "liba_fanous.so.1")); err == nil {
		t.Fatal("the first opens by itself: this test shows nothing")
	}
	if err := rt.preload(); err != nil {
		t.Error(err)
	}

	if err := os.WriteFile(filepath.Join(dir, "libbroken.so.1"), []byte("\x7fELF and no more"), 0o600); err != nil {
		t.Fatal(err)
	}
	rt = &Runtime{path: rt.path}
	first := rt.preload()
	if first == nil || !strings.Contains(first.Error(), "libbroken.so.1") || !errors.Is(rt.preload(), first) {
		t.Errorf("a broken one: %v", first)
	}
}

func TestInstructions(t *testing.T) {
	if runtime.GOARCH == "amd64" && !slices.Contains(Instructions(), "SSE4.1") {
		t.Errorf("%v", Instructions())
	}
	if FastBytes() && len(Instructions()) == 0 {
		t.Error("an instruction that is not listed")
	}
}

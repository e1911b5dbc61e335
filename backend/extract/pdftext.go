package extract

import (
	"context"
	"errors"
	"math"
	"sync"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// sandboxes knows what go-pdfium keeps to itself: the WebAssembly module of each engine, and where in it pdfium keeps the
// page of text that it loaded last. It is told by listeners on two functions of pdfium.
type sandboxes struct {
	opening sync.Mutex // one engine at a time, so that begun is its module

	mu    sync.Mutex
	begun api.Module
	pages map[api.Module]uint64
}

// listening is a context for compiling pdfium.
func (s *sandboxes) listening(ctx context.Context) context.Context {
	heard := map[string]onReturn{
		"FPDF_InitLibrary": func(m api.Module, _ []uint64) { s.begun = m },
		"FPDFText_LoadPage": func(m api.Module, results []uint64) {
			if s.pages == nil {
				s.pages = map[api.Module]uint64{}
			}
			s.pages[m] = results[0]
		},
	}
	return experimental.WithFunctionListenerFactory(ctx, experimental.FunctionListenerFactoryFunc(func(f api.FunctionDefinition) experimental.FunctionListener {
		for _, name := range f.ExportNames() {
			if note := heard[name]; note != nil {
				return onReturn(func(m api.Module, results []uint64) {
					s.mu.Lock()
					defer s.mu.Unlock()
					note(m, results)
				})
			}
		}
		return nil
	}))
}

// open gives an engine, which is to be closed, and its module.
func (s *sandboxes) open(ctx context.Context, pool pdfium.Pool) (pdfium.Pdfium, api.Module, error) {
	s.opening.Lock()
	defer s.opening.Unlock()
	engine, err := pool.GetInstanceWithContext(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	return engine, s.begun, err
}

// page is where the page of text is that a module loaded last.
func (s *sandboxes) page(m api.Module) uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pages[m]
}

func (s *sandboxes) forget(m api.Module) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.pages, m)
}

// onReturn is a listener that hears what a function gives.
type onReturn func(m api.Module, results []uint64)

func (onReturn) Before(context.Context, api.Module, api.FunctionDefinition, []uint64, experimental.StackIterator) {
}

func (f onReturn) After(_ context.Context, m api.Module, _ api.FunctionDefinition, results []uint64) {
	f(m, results)
}

func (onReturn) Abort(context.Context, api.Module, api.FunctionDefinition, error) {}

// textPage asks pdfium about the characters of a page. go-pdfium could, too, but takes and frees memory in the sandbox
// for every answer and makes an object of it; a page has thousands of characters.
type textPage struct {
	*textCalls
	count int
	close func()
	at    uint64 // where pdfium keeps the page, in the sandbox
	err   error  // the first that a call failed with, after which answers mean nothing
}

// textCalls are the functions of pdfium for that, of one engine.
type textCalls struct {
	memory                                                                         api.Memory
	answer                                                                         uint64 // where functions write what is more than one number, in the sandbox
	getUnicode, getBox, getOrigin, getMatrix, getSize, isGenerated, lacksCharacter api.Function
}

// answerSize is the room for the largest answer, a matrix of six float32.
const answerSize = 6 * 4

func newTextCalls(m api.Module) (*textCalls, error) {
	c := &textCalls{memory: m.Memory()}
	for name, f := range map[string]*api.Function{
		"FPDFText_GetUnicode": &c.getUnicode, "FPDFText_GetLooseCharBox": &c.getBox, "FPDFText_GetCharOrigin": &c.getOrigin,
		"FPDFText_GetMatrix": &c.getMatrix, "FPDFText_GetFontSize": &c.getSize, "FPDFText_IsGenerated": &c.isGenerated,
		"FPDFText_HasUnicodeMapError": &c.lacksCharacter,
	} {
		*f = m.ExportedFunction(name)
	}
	room, err := m.ExportedFunction("malloc").Call(context.Background(), answerSize)
	if err != nil {
		return nil, err
	}
	if c.answer = room[0]; c.answer == 0 {
		return nil, errors.New("the sandbox has no memory left")
	}
	return c, nil
}

// text loads the text of a page; it is to be closed.
func (d *pdfDocument) text(page requests.Page) (*textPage, error) {
	loaded, err := d.engine.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: page})
	if err != nil {
		return nil, err
	}
	t := &textPage{at: d.sandboxes.page(d.module), close: func() {
		d.engine.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: loaded.TextPage})
	}}
	count, err := d.engine.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: loaded.TextPage})
	if err == nil && d.calls == nil {
		d.calls, err = newTextCalls(d.module)
	}
	if err != nil {
		t.close()
		return nil, err
	}
	t.count, t.textCalls = count.Count, d.calls
	return t, nil
}

// ask calls a function about the character at index.
func (t *textPage) ask(f api.Function, index int) uint64 {
	stack := [...]uint64{t.at, uint64(index), t.answer, t.answer + 8}
	if err := f.CallWithStack(context.Background(), stack[:]); err != nil && t.err == nil {
		t.err = err
	}
	return stack[0]
}

func (t *textPage) unicode(index int) rune { return rune(t.ask(t.getUnicode, index)) }

// size is that of the font, before the matrix.
func (t *textPage) size(index int) float64 { return math.Float64frombits(t.ask(t.getSize, index)) }

// generated says that pdfium made a character up from a gap.
func (t *textPage) generated(index int) bool { return uint32(t.ask(t.isGenerated, index)) == 1 }

// hasMapError says that the file does not tell which character a glyph is.
func (t *textPage) hasMapError(index int) bool { return uint32(t.ask(t.lacksCharacter, index)) == 1 }

// box is the place of a character with the room around it.
func (t *textPage) box(index int) (left, top, right, bottom float64, ok bool) {
	if uint32(t.ask(t.getBox, index)) == 0 {
		return 0, 0, 0, 0, false
	}
	return t.float32(0), t.float32(1), t.float32(2), t.float32(3), true
}

// origin is where the pen stood.
func (t *textPage) origin(index int) (x, y float64, ok bool) {
	if uint32(t.ask(t.getOrigin, index)) == 0 {
		return 0, 0, false
	}
	x, _ = t.memory.ReadFloat64Le(uint32(t.answer))
	y, _ = t.memory.ReadFloat64Le(uint32(t.answer) + 8)
	return x, y, true
}

// matrix is how a character is turned and stretched.
func (t *textPage) matrix(index int) (a, b, c, d float64, ok bool) {
	if uint32(t.ask(t.getMatrix, index)) == 0 {
		return 0, 0, 0, 0, false
	}
	return t.float32(0), t.float32(1), t.float32(2), t.float32(3), true
}

// float32 is a number of the answer.
func (t *textPage) float32(i uint32) float64 {
	v, _ := t.memory.ReadFloat32Le(uint32(t.answer) + 4*i)
	return float64(v)
}

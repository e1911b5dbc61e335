package backend

import (
	"context"
	"runtime"
	"strings"

	"fanous/backend/domain"
	"fanous/backend/ocr"
	"fanous/backend/pipeline"
)

// recognition is what reads the text in pictures, and else why there is none. Tesseract may be installed while this
// program runs, so it is looked for each time.
func (b *Backend) recognition(ctx context.Context, off bool) (*pipeline.Recognition, string) {
	if off || !b.cfg.OCR {
		return nil, ""
	}
	program, err := ocr.Find(ctx, b.cfg.Tesseract)
	if err != nil {
		return nil, notRecognised(err)
	}
	return &pipeline.Recognition{Pages: b.files().Pages, Read: program.Read, Maker: program.Maker}, ""
}

// ocrStatus says which Tesseract is installed and what it reads.
func (b *Backend) ocrStatus(ctx context.Context) domain.OCRProgram {
	status := domain.OCRProgram{Component: domain.Component{Name: "Tesseract"}, Languages: []string{}}
	if !b.cfg.OCR {
		status.Reason, status.Hint = "The setting ocr is off.", "run fanous config set ocr true to have the text in pictures read"
		return status
	}
	program, err := ocr.Find(ctx, b.cfg.Tesseract)
	if err != nil {
		status.Code, status.Reason, status.Hint = domain.CodeOf(err), err.Error(), domain.HintOf(err)
		return status
	}
	status.Ready, status.Version, status.Path, status.Languages = true, program.Version(), program.Path(), program.Languages()
	if missing, hint := program.Missing(runtime.GOOS); len(missing) > 0 {
		status.Code, status.Hint = domain.CodeOCRLanguages, hint
		status.Reason = "It has no " + strings.Join(missing, ", ") + "."
	}
	return status
}

// notRecognised says what an error is and what to do about it.
func notRecognised(err error) string {
	s := strings.TrimSuffix(err.Error(), ".") + "."
	if hint := domain.HintOf(err); hint != "" {
		s += " To change that, " + hint + " and index again."
	}
	return s
}

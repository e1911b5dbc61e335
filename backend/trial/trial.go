// Package trial finds out whether a model runs, and runs right, on a device of this machine. It loads the library and
// the model, scores known pairs, looks at where the work was done, compares with the CPU and times.
//
// A driver or a damaged library can take the process that tries it with it, so a trial is made in a process of its own
// (Runner), and what came out is kept until the library, the model or the machine is another one (Book).
package trial

import (
	"time"

	"fanous/backend/domain"
	"fanous/backend/onnx"
)

// Subject is what is tried.
type Subject struct {
	Library string      `json:"library"` // path of ONNX Runtime
	Model   string      `json:"model"`   // its folder; empty: the library alone
	Device  onnx.Device `json:"device"`
	Judge   bool        `json:"judge"` // the model is known to be good: it must prefer what answers a query
}

// Result is what came out. Figures are zero where the trial did not get so far.
type Result struct {
	Code   domain.Code `json:"code,omitempty"` // empty: it passed
	Reason string      `json:"reason,omitempty"`
	Hint   string      `json:"hint,omitempty"`

	Version    string    `json:"version,omitempty"`    // of the library
	Scores     []float64 `json:"scores,omitempty"`     // of the known pairs: logits, or cosines of an embedder
	Difference float64   `json:"difference,omitempty"` // the greatest between the device's scores and the CPU's
	LoadMS     float64   `json:"load_ms,omitempty"`
	PerSecond  float64   `json:"per_second,omitempty"` // pairs, or texts of an embedder, of Tokens tokens, as a search scores them
	Tokens     int       `json:"tokens,omitempty"`
	Bytes      int64     `json:"bytes,omitempty"` // memory of the model: of the process on the CPU, else of the device
	At         time.Time `json:"at"`
}

// Passed says whether the model can be used there.
func (r Result) Passed() bool { return r.Code == "" }

// Err is why it cannot; nil where it can.
func (r Result) Err() error {
	if r.Passed() {
		return nil
	}
	return &domain.Error{Code: r.Code, Message: r.Reason, Hint: r.Hint}
}

// failed makes the result of a trial that ended with an error. One that has no code of its own is the device's fault
// where that is not the CPU, and the model's where it is.
func failed(d onnx.Device, err error) Result {
	if code := domain.CodeOf(err); code != domain.CodeInternal {
		return Result{Code: code, Reason: err.Error(), Hint: domain.HintOf(err)}
	}
	if d == onnx.CPU {
		return Result{Code: domain.CodeModelFailed, Reason: "it cannot be loaded or run: " + err.Error(), Hint: "install the model again"}
	}
	return deviceFault(d, err.Error())
}

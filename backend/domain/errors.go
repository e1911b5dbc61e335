package domain

import (
	"errors"
	"fmt"
	"strings"
)

// Code is what an error means to a program; the command line maps it to an exit code.
type Code string

const (
	CodeInternal Code = "internal"
	CodeUsage    Code = "usage"
	CodeNotFound Code = "not_found"
	CodeLocked   Code = "locked"
	CodeDamaged  Code = "damaged"
	CodeCanceled Code = "canceled"

	CodeUnavailable Code = "unavailable" // nobody outside could give what was asked for
	CodeDiskFull    Code = "disk_full"
)

// Error is an error at the edge: a code, one plain sentence and what to do next.
type Error struct {
	Code    Code
	Message string
	Hint    string
	Err     error // what happened inside; may be nil
}

func (e *Error) Error() string {
	if e.Err != nil && !strings.Contains(e.Message, e.Err.Error()) { // Errorf has it in the message
		return e.Message + ": " + e.Err.Error()
	}
	return e.Message
}

func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an Error; a %w in the format is kept as its cause.
func Errorf(code Code, hint, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), Hint: hint, Err: errors.Unwrap(err)}
}

// CodeOf finds the code of an error, CodeInternal where it has none.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return CodeInternal
}

// HintOf finds what to do about an error; empty where nobody said.
func HintOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Hint
	}
	return ""
}

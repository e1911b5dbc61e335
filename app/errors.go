package app

import (
	"context"
	"encoding/json"
	"errors"

	"fanous/backend/domain"
)

// Problem is an error as the window gets it.
type Problem struct {
	Code    domain.Code `json:"code"`
	Message string      `json:"message"`
	Hint    string      `json:"hint"`
}

// ProblemOf maps any error to what the window shows.
func ProblemOf(err error) Problem {
	var e *domain.Error
	switch {
	case errors.As(err, &e):
		return Problem{Code: e.Code, Message: e.Message, Hint: e.Hint}
	case errors.Is(err, context.Canceled):
		return Problem{Code: domain.CodeCanceled, Message: "canceled"}
	default:
		return Problem{Code: domain.CodeInternal, Message: err.Error()}
	}
}

// FormatError encodes a Problem as the text of the rejection. It is text because the Wails runtime
// puts whatever it gets into `new Error(...)`, which would turn an object into "[object Object]".
func FormatError(err error) any {
	text, _ := json.Marshal(ProblemOf(err)) // three strings: cannot fail
	return string(text)
}

// Package sample has the sample documents in the program, and queries to try on them.
package sample

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed docs
var documents embed.FS

//go:embed showcase.txt
var showcase string

// Documents are the sample documents, in one folder.
func Documents() fs.FS {
	docs, err := fs.Sub(documents, "docs")
	if err != nil {
		panic(err) // "docs" is a valid path
	}
	return docs
}

// Queries are some that the documents answer: a Persian, an Arabic and an English one, and one in another language than its
// answer.
func Queries() []string { return strings.Split(strings.TrimSpace(showcase), "\n") }

// Command generate writes the corpus of package corpus into a folder, with a table of what must be found in it: for
// people who want to look at the files, or to try another program on them.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"fanous/build/corpus"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: generate FOLDER")
	}
	if err := generate(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func generate(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	files, err := corpus.Make(context.Background(), dir)
	if err != nil {
		return err
	}
	table, err := json.MarshalIndent(files, "", "\t")
	if err != nil {
		return err
	}
	fmt.Printf("%d files written\n", len(files))
	return os.WriteFile(filepath.Join(dir, "corpus.json"), table, 0o644)
}

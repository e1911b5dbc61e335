// Command tinyxlmr writes the folder of the small reranker with made-up weights that the tests use.
//
//	go run ./models/cmd/tinyxlmr -tokenizer tokenizer.json -out DIR
package main

import (
	"flag"
	"fmt"
	"os"

	"fanous/models/tinyxlmr"
)

func main() {
	tokenizer := flag.String("tokenizer", "", "the tokenizer.json `FILE` of an XLM-R model")
	out := flag.String("out", "", "the model `FOLDER` to write, usually .../"+tinyxlmr.Name)
	flag.Parse()
	if *tokenizer == "" || *out == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	manifest, err := tinyxlmr.Write(*out, *tokenizer)
	if err != nil {
		fmt.Fprintln(os.Stderr, "tinyxlmr:", err)
		os.Exit(1)
	}
	fmt.Printf("%s: %d bytes, %s\n", manifest.Name, manifest.Bytes(), manifest.Digest())
}

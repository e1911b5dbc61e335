// Package readertest has what the tests of reading apart share: files that are bad for whoever reads them, a parser that
// behaves badly, and what every reader of files must do.
package readertest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"fanous/backend/domain"
	"fanous/backend/extract"
	"fanous/backend/reader"
)

// Trick is the beginning of a file that makes the child of a test behave badly, in the way that follows it.
const Trick = "%FANOUS-TEST "

// tricks is a parser that meets its master in some files, and an Extractor for all others.
type tricks struct{ *extract.Extractor }

func (x tricks) Read(ctx context.Context, path string, each func(extract.Found) error) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return x.Extractor.Read(ctx, path, each)
	}
	name, ok := trickIn(path)
	if !ok {
		return x.Extractor.Read(ctx, path, each)
	}
	word := func(f extract.Found, text string) error {
		if f.State == "" {
			f.State = domain.StateIndexed
		}
		f.Content.Blocks = append(f.Content.Blocks, domain.Block{Text: text})
		return each(f)
	}
	switch strings.TrimSpace(name) {
	case "spin":
		for n := 0; ; n++ {
			_ = n
		}
	case "deadlock":
		select {}
	case "memory":
		for size := 8 << 20; ; size += size / 4 {
			piece := make([]byte, size)
			for i := range piece {
				piece[i] = byte(i)
			}
		}
	case "memory at once":
		huge := make([]byte, 64<<30)
		return word(extract.Found{}, string(huge[:1]))
	case "stack":
		var down func(n int) int
		down = func(n int) int { return down(n+1) + 1 }
		return word(extract.Found{}, fmt.Sprint(down(0)))
	case "panic elsewhere":
		go panic("a goroutine nobody watches")
		select {}
	case "fault elsewhere":
		var nowhere *int
		go func() { *nowhere = 1 }()
		select {}
	case "exit":
		os.Exit(0)
	case "exit 7":
		os.Exit(7)
	case "one endless document":
		f := extract.Found{State: domain.StateIndexed}
		for range 400 {
			f.Content.Blocks = append(f.Content.Blocks, domain.Block{Text: strings.Repeat("a", 1<<20)})
		}
		return each(f)
	case "endless documents":
		for n := 0; ; n++ {
			if err := word(extract.Found{Member: fmt.Sprint(n)}, strings.Repeat("b", 1<<20)); err != nil {
				return err
			}
		}
	case "endless empty documents":
		for n := 0; ; n++ {
			if err := each(extract.Found{Member: fmt.Sprint(n), State: domain.StateNoText}); err != nil {
				return err
			}
		}
	case "endless nothing":
		for {
			fmt.Println("between the messages")
		}
	case "garbage":
		_, err := fmt.Fprint(realOut, "}}}} what")
		return err
	case "a flood of garbage":
		for {
			if _, err := fmt.Fprint(realOut, `"`+strings.Repeat("what", 1<<20)); err != nil {
				return err
			}
		}
	case "nothing said":
		return nil
	case "twice":
		return errors.Join(word(extract.Found{}, "one"), word(extract.Found{}, "two"))
	case "a state that there is not":
		return word(extract.Found{State: domain.StateQuarantined}, "x")
	case "absurd sizes":
		return word(extract.Found{Size: -1}, "x")
	case "members, then the end":
		for n := range 3 {
			if err := word(extract.Found{Member: fmt.Sprint(n)}, "member"); err != nil {
				return err
			}
		}
		os.Exit(7)
	case "what it can do":
		return word(extract.Found{}, powers())
	}
	return word(extract.Found{}, "not a trick: "+name)
}

// trickIn says which trick a file has in it, if any.
func trickIn(path string) (name string, ok bool) {
	f, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 100))
	if err != nil {
		return "", false
	}
	return strings.CutPrefix(string(head), Trick)
}

// realOut is where a child's messages go; Child hides it from whoever prints.
var realOut = os.Stdout

// powers says what a child can do that it should not.
func powers() string {
	var can []string
	if c, err := net.Dial("udp", "127.0.0.1:53"); err == nil {
		c.Close()
		can = append(can, "network")
	}
	if c, err := net.Dial("unix", "/tmp/none"); !errors.Is(err, syscall.EACCES) {
		if err == nil {
			c.Close()
		}
		can = append(can, "local sockets")
	}
	if exe, err := os.Executable(); err == nil && exec.Command(exe, "-test.run=^$").Run() == nil {
		can = append(can, "programs")
	}
	if fds, err := os.ReadDir("/proc/self/fd"); err == nil {
		for _, fd := range fds {
			to, _ := os.Readlink("/proc/self/fd/" + fd.Name())
			if strings.HasPrefix(to, "/") && strings.Contains(to, "inherited") {
				can = append(can, "files of its parent")
			}
		}
	}
	can = append(can, overOthers()...)
	if _, ok := os.LookupEnv("CO_API_KEY"); ok {
		can = append(can, "key")
	}
	return "it can: " + strings.Join(can, ", ")
}

// Child is reader.Child for the program of a test: a parser that some files make behave badly.
func Child() bool {
	return reader.ChildWith(func(x *extract.Extractor) reader.Files { return tricks{x} })
}

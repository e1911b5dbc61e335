package extract

import (
	"context"
	"strings"

	"fanous/backend/domain"
)

// codeExtensions are those of programs and of the files that steer them, where the ends of lines mean
// something.
var codeExtensions = setOf(`
	.ada .asm .awk .bash .bat .c .cc .clj .cmake .cmd .conf .cpp .cs .css .cxx .d .dart .diff .el .erl .ex .exs
	.f .f90 .fish .fs .go .gradle .groovy .h .hh .hpp .hs .ini .java .jl .js .jsx .kt .kts .less .lisp .lua .m
	.mjs .ml .mm .nim .nix .pas .patch .php .pl .pm .properties .proto .ps1 .py .pyi .r .rb .rs .sas .scala .scm
	.scss .sh .sql .swift .tcl .tf .toml .ts .tsx .v .vb .vhd .vim .vue .yaml .yml .zig .zsh`)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// readCode makes a block of every run of lines up to an empty one. Lines stay as they are, indented.
func readCode(ctx context.Context, text string) (domain.Content, error) {
	var out outline
	var lines []string
	line, first := 0, 0
	flush := func() {
		out.add(domain.KindCode, strings.Join(lines, "\n"), domain.Place{Line: first})
		lines = nil
	}
	for l := range strings.Lines(unescape(text)) {
		line++
		l = strings.TrimRight(l, " \t\r\n\f")
		if l == "" || len(lines) == maxTextLines {
			flush()
		}
		if l == "" {
			continue
		}
		if len(lines) == 0 {
			first = line
			if err := ctx.Err(); err != nil {
				return domain.Content{}, err
			}
		}
		lines = append(lines, l)
	}
	flush()
	return domain.Content{Blocks: out.blocks}, nil
}

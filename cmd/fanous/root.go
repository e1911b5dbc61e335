package main

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"fanous/backend"
	"fanous/backend/domain"
	"fanous/backend/keychain"
)

// globals are the flags that every command has.
type globals struct {
	dataDir string
	config  string
}

func newRoot() *cobra.Command {
	g := &globals{}
	root := &cobra.Command{
		Use:           "fanous",
		Short:         "Search local documents in English, Persian, Arabic and other languages, online and in a blackout",
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       backend.Version,
	}
	root.PersistentFlags().StringVar(&g.dataDir, "data", "", "folder of the index and the models (or FANOUS_DATA)")
	root.PersistentFlags().StringVar(&g.config, "config", "", "configuration file (default: config.toml in the data folder)")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usageError(cmd, err) })
	root.AddCommand(
		newIndex(g), newSearch(g), newShow(g), newStatus(g), newRepair(g), newCollections(g), newFiles(g), newModels(g), newEval(g), newJudgements(g), newTune(g), newHistory(g), newLedger(g), newDoctor(g), newConfig(g), newDrill(g), newMCP(g), newBench(g),
	)
	for _, cmd := range allCommands(root) {
		if cmd.HasSubCommands() {
			cmd.Args, cmd.RunE = cobra.ArbitraryArgs, needSubcommand
			cmd.DisableFlagsInUseLine, cmd.SuggestionsMinimumDistance = true, 2
		} else if cmd.Args != nil {
			check := cmd.Args
			cmd.Args = func(c *cobra.Command, args []string) error {
				if err := check(c, args); err != nil {
					return domain.Errorf(domain.CodeUsage, "write it as `"+c.UseLine()+"`; see `"+c.CommandPath()+" --help`", "%w", err)
				}
				return nil
			}
		}
	}
	return root
}

func allCommands(cmd *cobra.Command) []*cobra.Command {
	out := []*cobra.Command{cmd}
	for _, child := range cmd.Commands() {
		out = append(out, allCommands(child)...)
	}
	return out
}

// needSubcommand is a command that only has others below it.
func needSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	hint := "see `" + cmd.CommandPath() + " --help`"
	if meant := cmd.SuggestionsFor(args[0]); len(meant) > 0 {
		hint = "perhaps " + strings.Join(meant, " or ") + "; " + hint
	}
	return domain.Errorf(domain.CodeUsage, hint, "there is no command `%s %s`", cmd.CommandPath(), args[0])
}

func usageError(cmd *cobra.Command, err error) error {
	return &domain.Error{Code: domain.CodeUsage, Message: err.Error(), Hint: "see `" + cmd.CommandPath() + " --help`"}
}

// open opens the backend that the global flags name and hands it to fn.
func (g *globals) open(ctx context.Context, fn func(*backend.Backend) error) (err error) {
	cfg, err := backend.LoadConfig(g.config, g.dataDir)
	if err != nil {
		return err
	}
	if cfg.Program, err = os.Executable(); err != nil {
		return err
	}
	cfg.Keychain = keychain.New()
	b, err := backend.Open(ctx, cfg)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := b.Close(); err == nil {
			err = cerr
		}
	}()
	return fn(b)
}

// printJSON writes one indented JSON document. Text is written as it is, not escaped for HTML.
func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// enum is a flag with a fixed set of values.
type enum[T ~string] struct {
	value   *T
	choices []T
}

func newEnum[T ~string](value *T, first T, others ...T) *enum[T] {
	*value = first
	return &enum[T]{value, append([]T{first}, others...)}
}

func (e *enum[T]) String() string { return string(*e.value) }
func (e *enum[T]) Type() string {
	names := make([]string, len(e.choices))
	for i, c := range e.choices {
		names[i] = string(c)
	}
	return strings.Join(names, "|")
}

func (e *enum[T]) Set(s string) error {
	for _, c := range e.choices {
		if s == string(c) {
			*e.value = c
			return nil
		}
	}
	return domain.Errorf(domain.CodeUsage, "", "choose one of %s", e.Type())
}

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"fanous/backend"
	"fanous/backend/domain"
	"fanous/backend/keychain"
)

func newConfig(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show and change settings, and keep the key of Cohere",
		Long: "Each setting has its value from the first of these that has one: a flag, the environment, what was set here or in the\n" +
			"window (settings.json in the data folder), the configuration file (config.toml, which Fanous never writes), what\n" +
			"`fanous bench` has measured, the default.",
	}
	cmd.AddCommand(newConfigList(g), newConfigGet(g), newConfigSet(g), newConfigUnset(g), newConfigKey(g))
	return cmd
}

func newConfigList(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List every setting: its value, where that comes from, and what it does", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := backend.LoadConfig(g.config, g.dataDir)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), cfg.Settings())
			}
			return printSettings(cmd.OutOrStdout(), cfg.Settings())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON, with defaults and limits")
	return cmd
}

func newConfigGet(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "get NAME", Short: "Print the value of a setting", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := backend.LoadConfig(g.config, g.dataDir)
			if err != nil {
				return err
			}
			all := cfg.Settings()
			i := slices.IndexFunc(all, func(s domain.SettingState) bool { return s.Name == args[0] })
			if i < 0 {
				return domain.Errorf(domain.CodeNotFound, "`fanous config list` has all names", "there is no setting %q", args[0])
			}
			fmt.Fprintln(cmd.OutOrStdout(), all[i].Value)
			return nil
		},
	}
}

func newConfigSet(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "set NAME VALUE [NAME VALUE]...", Short: "Give settings other values, all of them or none", Args: cobra.MinimumNArgs(2),
		Long: "Gives settings other values; what does not go together is refused as a whole. The entries of a list are separated by\n" +
			"line breaks. A window that is open follows when it is started anew.",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args)%2 != 0 {
				return domain.Errorf(domain.CodeUsage, "give a value after each name", "%s has no value", args[len(args)-1])
			}
			var changes []domain.SettingChange
			for pair := range slices.Chunk(args, 2) {
				changes = append(changes, domain.SettingChange{Name: pair[0], Value: pair[1]})
			}
			_, err := backend.ChangeSettings(g.config, g.dataDir, changes...)
			return err
		},
	}
}

func newConfigUnset(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "unset NAME...", Short: "Take settings back, so that the configuration file or the default counts again", Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			var changes []domain.SettingChange
			for _, name := range args {
				changes = append(changes, domain.SettingChange{Name: name, Reset: true})
			}
			_, err := backend.ChangeSettings(g.config, g.dataDir, changes...)
			return err
		},
	}
}

func newConfigKey(g *globals) *cobra.Command {
	var remove bool
	cmd := &cobra.Command{
		Use: "key", Short: "Keep the key of Cohere, read from standard input, in this system's keychain", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := backend.LoadConfig(g.config, g.dataDir)
			if err != nil {
				return err
			}
			cfg.Keychain = keychain.New()
			key := ""
			if !remove {
				if key, err = readKey(cmd.InOrStdin(), cmd.ErrOrStderr()); err != nil {
					return err
				}
			}
			return keep(cmd.Context(), cfg, key)
		},
	}
	cmd.Flags().BoolVar(&remove, "remove", false, "remove the key from the keychain")
	return cmd
}

// keep puts a key into the keychain, or removes the one there where it is empty. That it would live only as long as this
// command is an error.
func keep(ctx context.Context, cfg backend.Config, key string) error {
	if err := cfg.SetKey(ctx, key); err != nil {
		return err
	}
	if why := cfg.Keychain.Why(); why != "" && key != "" {
		return domain.Errorf(domain.CodeUnavailable, "set CO_API_KEY in the environment instead", "the key was not kept: %s", strings.TrimSuffix(why, "."))
	}
	return nil
}

// readKey reads one line; on a terminal it asks for it and does not show it.
func readKey(in io.Reader, prompt io.Writer) (string, error) {
	var line string
	var err error
	if f, ok := in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		fmt.Fprint(prompt, "key of Cohere: ")
		var typed []byte
		typed, err = term.ReadPassword(int(f.Fd()))
		line = string(typed)
		fmt.Fprintln(prompt)
	} else if line, err = bufio.NewReader(in).ReadString('\n'); err == io.EOF {
		err = nil
	}
	if err == nil && strings.TrimSpace(line) == "" {
		err = domain.Errorf(domain.CodeUsage, "type it, or pipe it in; --remove removes the one that is kept", "no key was given")
	}
	return line, err
}

func printSettings(w io.Writer, all []domain.SettingState) error {
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(tw, "setting\tvalue\tfrom\twhat it does")
	for _, s := range all {
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\n", s.Name, dash(strings.ReplaceAll(s.Value, "\n", ", ")), s.From, s.About)
	}
	return tw.Flush()
}

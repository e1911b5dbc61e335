package corpus

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/chromedp/chromedp"
)

// libreOffice converts files into one format, all of them in one run; filter is "" for the usual one. It gives no file a
// time or place of this machine's.
func libreOffice(ctx context.Context, profile, to, out string, files []string) error {
	program, err := exec.LookPath("soffice")
	if err != nil {
		return errors.New("LibreOffice is not installed: install libreoffice-writer-nogui, libreoffice-calc-nogui and libreoffice-impress-nogui")
	}
	args := append([]string{"-env:UserInstallation=file://" + profile, "--headless", "--norestore", "--nologo", "--convert-to", to, "--outdir", out}, files...)
	if said, err := exec.CommandContext(ctx, program, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("LibreOffice, to %s: %w: %s", to, err, said)
	}
	return nil
}

// printer prints pages with Chromium.
type printer struct {
	ctx   context.Context
	close func()
}

func startPrinter(ctx context.Context, profile string) (*printer, error) {
	program := ""
	for _, name := range []string{os.Getenv("FANOUS_CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		return nil, errors.New("no Chromium: install the package chromium, or set FANOUS_CHROMIUM to its path")
	}
	allocator, endAllocator := chromedp.NewExecAllocator(ctx, append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-component-update", true), chromedp.UserDataDir(profile))...)
	browser, end := chromedp.NewContext(allocator)
	p := &printer{browser, func() { end(); endAllocator() }}
	if err := chromedp.Do(browser); err != nil { // the context of the first call is the browser's life
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *printer) print(page string) ([]byte, error) {
	if err := chromedp.Do(p.ctx, chromedp.Navigate("file://"+filepath.ToSlash(page))); err != nil {
		return nil, err
	}
	return chromedp.Run(p.ctx, chromedp.PrintToPDF())
}

package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"log/slog"
	"os"
	"sync"

	"fanous/backend"
	"fanous/backend/keychain"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// Run shows the window on the given frontend, with a PNG as its icon, and returns when it is closed.
// Until Wails has started it reads the configuration and does nothing else, so that generating the
// bindings has no effects.
func Run(assets fs.FS, icon []byte) error {
	// A configuration that cannot be read is shown by the window, when it opens the backend.
	cfg, _ := backend.DefaultConfig()
	desktop := &desktop{}
	keys := keychain.New() // one for all the times that the backend is opened: a key may live as long as the window only
	app := New(desktop, func() (backend.Config, error) { return configuration(keys) })
	var closeOnce sync.Once
	return wails.Run(&options.App{
		Title:            "Fanous",
		Width:            1120,
		Height:           820,
		MinWidth:         560,
		MinHeight:        420,
		BackgroundColour: options.NewRGB(0xfb, 0xfa, 0xf7), // the light theme's, so that starting does not flash
		AssetServer:      &assetserver.Options{Assets: assets},
		Bind:             app.Services(),
		ErrorFormatter:   FormatError,
		DragAndDrop:      &options.DragAndDrop{EnableFileDrop: true},
		// Two windows on one index would only wait for each other's lock; another data folder is another index.
		SingleInstanceLock: &options.SingleInstanceLock{
			UniqueId:               "fanous-" + nameOf(cfg.DataDir),
			OnSecondInstanceLaunch: func(options.SecondInstanceData) { desktop.raise() },
		},
		Linux: &linux.Options{
			Icon:        icon,
			ProgramName: "fanous",
			// Options without a policy mean Always, which shows a blank window on NVIDIA.
			WebviewGpuPolicy: linux.WebviewGpuPolicyNever,
		},
		OnStartup: func(ctx context.Context) {
			desktop.ctx = ctx
			app.Start()
		},
		OnShutdown: func(context.Context) {
			closeOnce.Do(func() {
				if err := app.Close(); err != nil {
					slog.Error("closing the index", "error", err)
				}
			})
		},
	})
}

// configuration is read anew each time, so that trying again after correcting it works.
func configuration(keys *keychain.Keychain) (backend.Config, error) {
	cfg, err := backend.DefaultConfig()
	if err != nil {
		return backend.Config{}, err
	}
	cfg.Keychain = keys
	if cfg.Program, err = os.Executable(); err != nil {
		slog.Warn("no self-tests of devices can be made", "error", err)
	}
	return cfg, nil
}

// nameOf is a short name for a data folder that holds in a D-Bus name or a mutex.
func nameOf(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return hex.EncodeToString(sum[:6])
}

// desktop is the Shell of the real window.
type desktop struct {
	openers
	ctx context.Context // Wails' own, set before the services are started
}

func (d *desktop) Emit(event string, data any) { runtime.EventsEmit(d.ctx, event, data) }

func (d *desktop) ChooseFolder() (string, error) {
	return runtime.OpenDirectoryDialog(d.ctx, runtime.OpenDialogOptions{CanCreateDirectories: false})
}

func (d *desktop) ChooseFile() (string, error) {
	return runtime.OpenFileDialog(d.ctx, runtime.OpenDialogOptions{})
}

func (d *desktop) ChooseNewFile(name string) (string, error) {
	return runtime.SaveFileDialog(d.ctx, runtime.SaveDialogOptions{DefaultFilename: name, CanCreateDirectories: true})
}

func (d *desktop) raise() {
	runtime.WindowUnminimise(d.ctx)
	runtime.Show(d.ctx)
}

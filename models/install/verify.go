package install

import (
	"context"

	"fanous/models"
)

// Verify reads every file of a model and compares it with its digest, telling how far it is. Its only error is ctx's.
func (in *Installer) Verify(ctx context.Context, e models.Entry) (models.Status, error) {
	meter, now := meter{report: in.report}, Progress{Model: e.Name, Phase: Checking, Total: e.Bytes()}
	return e.Manifest.Verify(ctx, func(n int) {
		now.Done += int64(n)
		meter.tell(now)
	}, in.Dirs...)
}

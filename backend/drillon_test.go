package backend

import (
	"context"

	"fanous/backend/domain"
)

// DrillOn is Drill on a machine with so much memory and disk space for us.
func (b *Backend) DrillOn(ctx context.Context, req domain.DrillRequest, memory, disk int64) (domain.DrillReport, error) {
	d := &drilling{Backend: b, req: req, progress: func(domain.DrillProgress) {}, memory: func() int64 { return memory },
		disk: func(string) (int64, error) { return disk, nil }}
	return d.run(ctx)
}

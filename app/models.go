package app

import (
	"context"

	"fanous/backend"
	"fanous/backend/domain"
)

// ModelService lists, gets, imports, verifies, removes and packs models, one long work at a time.
type ModelService struct {
	engine *engine
	shell  Shell
	work   work[ModelWork]
}

// ModelWork is the work with models that goes on, as EventModelWork tells it.
type ModelWork struct {
	Kind     string               `json:"kind"` // "get", "import", "verify", "remove", "pack"; empty: none goes on
	Name     string               `json:"name"` // of the model that was asked for; empty: none, or all
	Progress domain.ModelProgress `json:"progress"`
}

// List gives the catalogue and what else is installed, with the state of each.
func (s *ModelService) List() ([]domain.ModelStatus, error) {
	return with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) ([]domain.ModelStatus, error) {
		return b.Models(ctx)
	})
}

// Offer is what getting a model would bring, its licence and size among it. The hub may be asked.
func (s *ModelService) Offer(req domain.ModelGet) (domain.ModelStatus, error) {
	return with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) (domain.ModelStatus, error) {
		return b.ModelOffer(ctx, req)
	})
}

// Get installs a model of the catalogue and returns when it is there; EventModelWork tells how far it is.
func (s *ModelService) Get(req domain.ModelGet) error {
	_, err := long(s, "get", req.Name, func(ctx context.Context, b *backend.Backend, report func(domain.ModelProgress)) (struct{}, error) {
		return struct{}{}, b.GetModel(ctx, req, report)
	})
	return err
}

// Import installs what a file or a folder holds.
func (s *ModelService) Import(req domain.ModelImport) ([]domain.ModelImported, error) {
	return long(s, "import", "", func(ctx context.Context, b *backend.Backend, report func(domain.ModelProgress)) ([]domain.ModelImported, error) {
		return b.ImportModels(ctx, req, report)
	})
}

// Verify reads every file of a model, or of all that are installed where name is empty.
func (s *ModelService) Verify(name string) ([]domain.ModelStatus, error) {
	return long(s, "verify", name, func(ctx context.Context, b *backend.Backend, report func(domain.ModelProgress)) ([]domain.ModelStatus, error) {
		return b.VerifyModels(ctx, name, report)
	})
}

// Remove deletes a model, with what of it is on its way. The window asks before.
func (s *ModelService) Remove(name string) error {
	_, err := long(s, "remove", name, func(ctx context.Context, b *backend.Backend, _ func(domain.ModelProgress)) (struct{}, error) {
		return struct{}{}, b.RemoveModel(ctx, name)
	})
	return err
}

// Pack writes a bundle for machines without a network.
func (s *ModelService) Pack(req domain.ModelPack) (domain.ModelPacked, error) {
	return long(s, "pack", "", func(ctx context.Context, b *backend.Backend, report func(domain.ModelProgress)) (domain.ModelPacked, error) {
		return b.PackModels(ctx, req, report)
	})
}

// Cancel stops the work that is going on, if any is. What has arrived stays.
func (s *ModelService) Cancel() { s.work.stop() }

// Work is the work that is going on.
func (s *ModelService) Work() ModelWork { return s.work.last() }

// ChooseFile asks for a file to import; empty when the analyst changed their mind.
func (s *ModelService) ChooseFile() (string, error) { return s.shell.ChooseFile() }

// ChooseFolder asks for a folder to import, or to get a model from.
func (s *ModelService) ChooseFolder() (string, error) { return s.shell.ChooseFolder() }

// ChooseBundle asks where to write a bundle.
func (s *ModelService) ChooseBundle() (string, error) {
	return s.shell.ChooseNewFile("fanous-models.zip")
}

// long does the one long work of the service and tells the window of its beginning, its progress and its end.
func long[T any](s *ModelService, kind, name string, do func(context.Context, *backend.Backend, func(domain.ModelProgress)) (T, error)) (T, error) {
	tell := func(w ModelWork) { emit(s.shell, EventModelWork, w) }
	ctx, done, err := s.work.begin(ModelWork{Kind: kind, Name: name}, "something else is being done with the models")
	if err != nil {
		var none T
		return none, err
	}
	defer func() {
		done()
		tell(ModelWork{})
	}()
	report := s.work.report(func(w ModelWork) string { return w.Progress.Phase + " " + w.Progress.Name }, tell)
	report(ModelWork{Kind: kind, Name: name})
	return with(ctx, s.engine, func(ctx context.Context, b *backend.Backend) (T, error) {
		return do(ctx, b, func(p domain.ModelProgress) { report(ModelWork{Kind: kind, Name: name, Progress: p}) })
	})
}

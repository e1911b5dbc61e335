import * as Models from '../../../wailsjs/go/app/ModelService';
import type { app, domain } from '../../../wailsjs/go/models';
import { on } from './bridge';
import { call, list } from './call';

export type ModelImported = domain.ModelImported;
export type ModelPacked = domain.ModelPacked;
export type ModelProgress = domain.ModelProgress;
export type ModelStatus = domain.ModelStatus;
export type ModelWork = app.ModelWork;

export const models = {
  models: () => call(Models.List()).then((all) => list(all).map(modelOf)),
  modelOffer: (name: string, from: string) =>
    call(Models.Offer({ name, from, reembed: false })).then(modelOf),
  getModel: (name: string, from: string, reembed: boolean) => call(Models.Get({ name, from, reembed })),
  importModels: (path: string, reembed: boolean) =>
    call(Models.Import({ path, as: '', precision: '', reembed })).then(list),
  verifyModels: (name: string) => call(Models.Verify(name)).then((all) => list(all).map(modelOf)),
  removeModel: (name: string) => call(Models.Remove(name)),
  /** Writes what is installed, with the library that runs it, into one file. */
  packModels: (to: string) => call(Models.Pack({ names: [], runtime: true, program: false, to })),
  cancelModelWork: () => call(Models.Cancel()),
  modelWork: () => call(Models.Work()),
  onModelWork: (callback: (work: ModelWork) => void) => on('models:work', callback),
  chooseModelFile: () => call(Models.ChooseFile()),
  chooseModelFolder: () => call(Models.ChooseFolder()),
  chooseBundle: () => call(Models.ChooseBundle()),
};

export function modelOf(m: ModelStatus): ModelStatus {
  return { ...m, sources: list(m.sources) };
}

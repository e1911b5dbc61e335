// This folder is the only importer of the generated bindings. Every call goes through `call`, which makes each
// rejection an ApiError, and answers get an empty list where Go has a nil one.

import * as Documents from '../../../wailsjs/go/app/DocumentsService';
import * as Index from '../../../wailsjs/go/app/IndexService';
import * as Search from '../../../wailsjs/go/app/SearchService';
import * as Program from '../../../wailsjs/go/app/StatusService';
import type { app, domain } from '../../../wailsjs/go/models';
import { copy, on, onDrop } from './bridge';
import { call, list } from './call';
import { collections } from './collections';
import { drills } from './drill';
import { history } from './history';
import { ledger } from './ledger';
import { measuring } from './measure';
import { models, modelOf } from './models';
import { previews } from './preview';
import { responseOf } from './response';
import { settings } from './settings';

export { ApiError } from './errors';
export type * from './collections';
export type * from './drill';
export type * from './history';
export type * from './ledger';
export type * from './measure';
export type * from './models';
export type * from './preview';
export type * from './settings';

export type Calibration = domain.Calibration;
export type ChunkView = domain.ChunkView;
export type Component = domain.Component;
export type DeviceState = domain.DeviceState;
export type DeviceTest = domain.DeviceTest;
export type Doctor = domain.Doctor;
export type Duplicate = domain.Duplicate;
export type Location = domain.Location;
export type Hit = domain.Hit;
export type IndexProgress = domain.IndexProgress;
export type IndexReport = domain.IndexReport;
export type RepairReport = domain.RepairReport;
export type RerankTrace = domain.RerankTrace;
export type SearchRequest = domain.SearchRequest;
export type SearchResponse = domain.SearchResponse;
export type QueryFilter = domain.QueryFilter;
export type Stage = domain.Stage;
export type Status = domain.Status;
export type Step = domain.Step;
export type Understood = app.Understood;

export type Method = 'hybrid' | 'bm25' | 'semantic';
export type Rerank = 'auto' | 'cohere' | 'local' | 'off';

/** Which files are read although they have not changed: those that failed, these, or all. */
export type IndexHow = { retry?: boolean; again?: string[]; rebuild?: boolean };

/** The order so far of the search `id`, while it is being reranked; several may come. */
export type Partial = { id: number; response: SearchResponse };

export type Api = typeof api;

export const api = {
  search: (id: number, request: SearchRequest) => call(Search.Search(id, request)).then(responseOf),
  /** What a query asks for beside words. */
  understand: (query: string) => call(Search.Understand(query)).then(list<Understood>),
  cancelSearch: () => call(Search.Cancel()),
  /** Writes the answer to a search into a file that is asked for; its path, or nothing. */
  exportSearch: (id: number, ending: string) => call(Search.Export(id, ending)),
  onPartial: (callback: (partial: Partial) => void) =>
    on<Partial>('search:partial', (p) => callback({ id: p.id, response: responseOf(p.response) })),

  index: (collection: string, paths: string[], how: IndexHow = {}) =>
    call(Index.Start({ collection, paths, retry: false, no_ocr: false, ...how })).then(report),
  /** Makes again what is damaged in the index; collections of the report are to be indexed with rebuild. */
  repair: () => call(Index.Repair()).then((r): RepairReport => ({ ...r, collections: list(r.collections) })),
  /** Stops an index run or a repair. */
  cancelIndex: () => call(Index.Cancel()),
  onIndexProgress: (callback: (progress: IndexProgress) => void) => on('index:progress', callback),
  chooseFolder: () => call(Index.ChooseFolder()),
  onDrop,
  copy: (text: string) => call(copy(text)),

  passage: (chunk: number) => call(Documents.Passage(chunk)),
  open: (chunk: number) => call(Documents.Open(chunk)),
  showInFolder: (chunk: number) => call(Documents.ShowInFolder(chunk)),

  status: () => call(Program.Status()).then(status),
  retry: () => call(Program.Retry()).then(status),
  doctor: (again: boolean) => call(Program.Doctor(again)).then(doctor),

  ...collections,
  ...drills,
  ...history,
  ...ledger,
  ...measuring,
  ...models,
  ...previews,
  ...settings,
};

const doctor = (d: Doctor): Doctor => ({
  ...d,
  devices: list(d.devices),
  tests: list(d.tests),
  models: list(d.models).map(modelOf),
});

const report = (r: IndexReport): IndexReport => ({
  ...r,
  problems: list(r.problems),
  degraded: list(r.degraded),
});

const status = (s: Status): Status => ({
  ...s,
  calibration: list(s.calibration),
});

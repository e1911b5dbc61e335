import * as Service from '../../../wailsjs/go/app/MeasureService';
import type { app, domain, eval as evaluation } from '../../../wailsjs/go/models';
import { on } from './bridge';
import { call, list } from './call';

export type Change = evaluation.Change;
export type Delta = evaluation.Delta;
export type JudgedImport = app.JudgedImport;
export type JudgedSet = domain.JudgedSet;
export type Kept = evaluation.Kept;
export type MeasureWork = app.MeasureWork;
export type Movement = domain.Movement;
export type Suggestion = domain.Suggestion;
export type Tuning = domain.Tuning;
export type StageReport = evaluation.StageReport;
export type MeasureRequest = { collection: string; stages: string[]; variety: boolean; send: boolean };

/** How well a passage answers a query: not, partly, or well. */
export type Grade = 0 | 1 | 2;

const setOf = (s: JudgedSet): JudgedSet => ({
  ...s,
  queries: list(s.queries).map((q) => ({ ...q, passages: list(q.passages) })),
});

const keptOf = (k: Kept): Kept => ({
  ...k,
  report: {
    ...k.report,
    stages: list(k.report.stages).map((s) => ({ ...s, against: list(s.against) })),
    skipped: list(k.report.skipped),
    warnings: list(k.report.warnings),
  },
});

export const measuring = {
  /** Without a grade, what was judged is withdrawn. */
  judge: (collection: string, query: string, chunk: number, grade: Grade | undefined) =>
    call(Service.Judge(collection, query, chunk, grade ?? null)),
  grades: (collection: string, query: string, chunks: number[]) =>
    call(Service.Grades(collection, query, chunks)).then((g) => (g ?? {}) as Record<number, Grade>),
  judged: (collection: string) => call(Service.Judged(collection)).then(setOf),
  forgetJudged: (collection: string, query: string) => call(Service.Forget(collection, query)).then(setOf),
  exportJudged: (collection: string) => call(Service.Export(collection)),
  importJudged: (collection: string) => call(Service.Import(collection)),
  measure: (request: MeasureRequest) => call(Service.Run({ candidates: 0, ...request })).then(keptOf),
  cancelMeasuring: () => call(Service.Cancel()),
  measureWork: () => call(Service.Work()),
  onMeasureWork: (callback: (work: MeasureWork) => void) => on('measure:work', callback),
  suggestTuning: (collection: string) => call(Service.Suggest(collection)),
  applyTuning: (suggestion: Suggestion) => call(Service.Apply(suggestion)),
  undoTuning: (collection: string) => call(Service.Undo(collection)),
  measurements: (collection: string) => call(Service.Runs(collection)).then((all) => list(all).map(keptOf)),
  compareMeasurements: (collection: string, before: string, after: string) =>
    call(Service.Compare(collection, before, after)).then(list),
  saveMeasurement: (collection: string, id: string, language: string) =>
    call(Service.Save(collection, id, language)),
};

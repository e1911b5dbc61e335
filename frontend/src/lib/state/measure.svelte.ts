import type {
  Api,
  ApiError,
  Change,
  Grade,
  JudgedImport,
  JudgedSet,
  Kept,
  MeasureWork,
  SearchResponse,
  Suggestion,
} from '../api';
import { toApiError } from '../api/errors';

type MeasureApi = Pick<
  Api,
  | 'judge'
  | 'grades'
  | 'judged'
  | 'forgetJudged'
  | 'exportJudged'
  | 'importJudged'
  | 'measure'
  | 'cancelMeasuring'
  | 'measureWork'
  | 'onMeasureWork'
  | 'suggestTuning'
  | 'applyTuning'
  | 'undoTuning'
  | 'measurements'
  | 'compareMeasurements'
  | 'saveMeasurement'
>;

/** The stages that can be asked for, and those that are unless the analyst chooses. */
export const stages = ['bm25', 'semantic', 'hybrid', 'rerank', 'late', 'fast', 'precise', 'cohere'] as const;
export const usual = ['bm25', 'semantic', 'hybrid', 'rerank'] as const;
export type StageName = (typeof stages)[number];

/** What was done last, to be said once. */
export type Done =
  | { kind: 'exported'; path: string }
  | { kind: 'imported'; what: JudgedImport }
  | { kind: 'saved'; path: string }
  | { kind: 'stopped' };

/** What the analyst judged, and the evaluations of it. */
export class Measure {
  /** Results carry buttons to judge them. */
  judging = $state(false);
  /** What was judged of the passages shown, by chunk. */
  grades = $state.raw<Record<number, Grade>>({});

  collection = $state('');
  /** undefined: not known yet. */
  set = $state.raw<JudgedSet>();
  runs = $state.raw<Kept[]>();
  work = $state.raw<MeasureWork>();
  failure = $state.raw<ApiError>();
  done = $state.raw<Done>();

  chosen = $state<StageName[]>([...usual]);
  variety = $state(false);
  send = $state(false);

  /** The evaluation that is shown, the one that it is compared with, and what is different. */
  shown = $state<string>();
  before = $state<string>();
  changes = $state.raw<Change[]>();

  /** What tuning has found, until it is applied or dismissed. */
  suggestion = $state.raw<Suggestion>();

  private judgingOf = ''; // the collection and the query that grades are of
  private judgements = 0; // of this window: what was read before the last of them is too old to be shown

  constructor(
    private readonly api: MeasureApi,
    private readonly changed: () => Promise<void> | void, // searches may do something else now
  ) {}

  get run(): Kept | undefined {
    return this.runs?.find((r) => r.id === this.shown) ?? this.runs?.[0];
  }

  /** Follows the evaluation that goes on; returns what stops that. */
  listen(): () => void {
    const follow = (work: MeasureWork) => {
      this.work = work.collection === '' ? undefined : work;
    };
    const stop = this.api.onMeasureWork(follow);
    void this.api.measureWork().then(follow, () => {}); // a backend that did not open is said elsewhere
    return stop;
  }

  /** Reads what was judged of the passages that an answer shows. */
  async look({
    collection,
    query,
    hits,
  }: Pick<SearchResponse, 'collection' | 'query' | 'hits'>): Promise<void> {
    const of = `${collection}\n${query}`;
    if (of !== this.judgingOf) this.grades = {};
    this.judgingOf = of;
    if (!this.judging || hits.length === 0) return;
    const { judgements } = this;
    await this.attempt(async () => {
      const chunks = hits.map((h) => h.chunk_id);
      const grades = await this.api.grades(collection, query, chunks);
      if (of === this.judgingOf)
        this.grades = judgements === this.judgements ? grades : { ...grades, ...this.grades };
    });
  }

  /** Judges a passage; the grade that it has already is withdrawn. */
  async judge(of: Pick<SearchResponse, 'collection' | 'query'>, chunk: number, grade: Grade): Promise<void> {
    const { [chunk]: had, ...others } = this.grades;
    const now = had === grade ? undefined : grade;
    const was = this.grades;
    this.judgements++;
    this.grades = now === undefined ? others : { ...others, [chunk]: now };
    await this.attempt(
      () => this.api.judge(of.collection, of.query, chunk, now),
      () => (this.grades = was),
    );
  }

  /** Shows what was judged and measured in a collection. */
  async load(collection: string): Promise<void> {
    if (collection !== this.collection) {
      this.set = this.runs = this.changes = this.before = this.shown = this.suggestion = undefined;
      this.collection = collection;
    }
    await this.attempt(async () => {
      const [set, runs] = await Promise.all([this.api.judged(collection), this.api.measurements(collection)]);
      if (collection !== this.collection) return;
      this.set = set;
      this.runs = runs;
    });
  }

  forget = (query: string) =>
    this.attempt(async () => {
      this.set = await this.api.forgetJudged(this.collection, query);
    });

  exportSet = () =>
    this.attempt(async () => {
      const path = await this.api.exportJudged(this.collection);
      if (path) this.done = { kind: 'exported', path };
    });

  importSet = () =>
    this.attempt(async () => {
      const what = await this.api.importJudged(this.collection);
      if (!what.path) return;
      await this.load(this.collection);
      this.done = { kind: 'imported', what };
    });

  /** Measures the chosen stages, and shows the report. */
  async start(): Promise<void> {
    if (this.work || this.chosen.length === 0) return;
    const { collection, variety, send } = this;
    const wanted = stages.filter((s) => this.chosen.includes(s)) as string[];
    // What a reranker gets is its own input: without it there is nothing to compare it with.
    if (wanted.includes('hybrid') && wanted.some((s) => !['bm25', 'semantic', 'hybrid'].includes(s)))
      wanted.push('hybrid@depth');
    await this.long(async () => {
      const kept = await this.api.measure({ collection, stages: wanted, send, variety });
      await this.load(collection);
      if (collection === this.collection) await this.show(kept.id);
      await this.changed(); // a reranker that does harm is off now
    });
  }

  /** Looks for what searches in the collection would do better with. */
  suggest = () =>
    this.long(async () => {
      const found = await this.api.suggestTuning(this.collection);
      if (found.collection === this.collection) this.suggestion = found;
    });

  apply = () =>
    this.attempt(async () => {
      if (!this.suggestion) return;
      await this.api.applyTuning(this.suggestion);
      this.suggestion = undefined;
      await this.changed();
    });

  undo = () =>
    this.attempt(async () => {
      await this.api.undoTuning(this.collection);
      await this.changed();
    });

  /** The one long work at a time. */
  private async long(what: () => Promise<void>): Promise<void> {
    if (this.work) return;
    this.work = { collection: this.collection, progress: { phase: 'query', done: 0, of: 0 } } as MeasureWork;
    await this.attempt(what);
    this.work = undefined;
  }

  cancel(): void {
    void this.api.cancelMeasuring();
  }

  async show(id: string): Promise<void> {
    this.shown = id;
    await this.against(this.before);
  }

  /** Compares the evaluation that is shown with another one. */
  async against(before: string | undefined): Promise<void> {
    const after = this.run?.id;
    this.before = before === after ? undefined : before;
    this.changes = undefined;
    if (this.before === undefined || after === undefined) return;
    await this.attempt(async () => {
      this.changes = await this.api.compareMeasurements(this.collection, this.before!, after);
    });
  }

  save = (language: string) =>
    this.attempt(async () => {
      const id = this.run?.id;
      if (!id) return;
      const path = await this.api.saveMeasurement(this.collection, id, language);
      if (path) this.done = { kind: 'saved', path };
    });

  private async attempt(what: () => Promise<unknown>, undo: () => void = () => {}): Promise<void> {
    this.failure = this.done = undefined;
    try {
      await what();
    } catch (reason) {
      undo();
      const error = toApiError(reason);
      if (error.canceled) this.done = { kind: 'stopped' };
      else this.failure = error;
    }
  }
}

import type {
  Api,
  ApiError,
  CollectionSummary,
  IndexHow,
  IndexProgress,
  IndexReport,
  RepairReport,
  Status,
} from '../api';
import { toApiError } from '../api/errors';

type LibraryApi = Pick<
  Api,
  'collections' | 'status' | 'retry' | 'index' | 'repair' | 'cancelIndex' | 'onIndexProgress'
>;

/** The collections, the state of the program, and the index run that goes on. */
export class Library {
  private summaries = $state.raw<CollectionSummary[]>();
  /** What runs; known once the models are loaded, which searching does not wait for. */
  status = $state.raw<Status>();
  /** Why the program could not be opened. */
  failure = $state.raw<ApiError>();

  /** The collection that is being indexed. */
  indexing = $state<string>();
  progress = $state.raw<IndexProgress>();
  report = $state.raw<IndexReport>();
  error = $state.raw<ApiError>();
  /** The run was stopped before it had anything to report. */
  stopped = $state(false);
  /** The run is to end after what is being read, and to go on later. */
  pausing = $state(false);
  /** The run that was paused. What was finished stays, so going on is a new run. */
  paused = $state.raw<{ collection: string; how: IndexHow }>();

  /** The index is being repaired; it is not known meanwhile what there is to search. */
  repairing = $state(false);
  /** What the last repair found and did. */
  repaired = $state.raw<RepairReport>();
  /** The collections whose files are still to be read again after it. */
  toRead = $state.raw<string[]>([]);

  constructor(
    private readonly api: LibraryApi,
    private readonly changed: () => void, // what was searched may be out of date
  ) {}

  get collections(): CollectionSummary[] {
    return this.summaries ?? [];
  }
  named(name: string | undefined): CollectionSummary | undefined {
    return this.collections.find((c) => c.name === name);
  }
  /** Whether it is known what there is to search. */
  get opened(): boolean {
    return this.summaries !== undefined;
  }
  /** Whether search by meaning and reranking on this machine both work. */
  get limited(): boolean {
    return !!this.status && !(this.status.embedder.ready && this.status.local_reranker.ready);
  }

  /** Follows progress; returns what stops it. */
  listen(): () => void {
    return this.api.onIndexProgress((progress) => {
      if (this.indexing === undefined) return;
      // Once read, documents can be found: the window must know of them.
      if (progress.phase === 'embed' && this.progress?.phase !== 'embed') void this.start();
      this.progress = progress;
    });
  }

  /** Asks what there is to search, and then, without being waited for, what runs. */
  async start(again = false): Promise<void> {
    const asked = ++this.asked;
    this.failure = undefined;
    await this.take(
      asked,
      async () => {
        if (again) await this.api.retry();
        return this.api.collections();
      },
      (summaries) => {
        this.summaries = summaries;
        void this.take(asked, this.api.status, (status) => (this.status = status));
      },
    );
  }

  private async take<T>(asked: number, ask: () => Promise<T>, keep: (answer: T) => void): Promise<void> {
    try {
      const answer = await ask();
      if (asked === this.asked) keep(answer);
    } catch (reason) {
      if (asked === this.asked) this.failure = toApiError(reason);
    }
  }

  private asked = 0; // answers may overtake one another: only that to the last question counts

  /** Adds paths to a collection and indexes it; without paths, brings it up to date. */
  async index(collection: string, paths: string[], how: IndexHow = {}): Promise<void> {
    if (this.indexing !== undefined) return;
    this.indexing = collection;
    this.progress = undefined;
    this.pausing = false;
    this.dismiss();
    try {
      this.report = await this.api.index(collection, paths, how);
    } catch (reason) {
      const error = toApiError(reason);
      if (error.canceled) this.stopped = true;
      else this.error = error;
    }
    if (this.pausing && (this.stopped || this.report?.canceled)) {
      this.dismiss();
      this.paused = { collection, how };
    }
    this.pausing = false;
    this.indexing = undefined;
    this.progress = undefined;
    await this.start();
    this.changed();
  }

  /** Repairs the index, and reads the files of its collections again. Whatever is stopped, what was done stays done. */
  async repair(): Promise<void> {
    if (this.repairing || this.indexing !== undefined) return;
    this.dismiss();
    this.repairing = true;
    this.asked++; // what was asked before is not answered any more
    this.failure = undefined;
    this.summaries = undefined;
    try {
      const report = await this.api.repair();
      this.repaired = report;
      if (report.repair !== 'none')
        this.toRead = report.collections.filter((c) => (c.roots ?? []).length > 0).map((c) => c.name);
    } catch (reason) {
      const error = toApiError(reason);
      if (error.canceled) this.stopped = true;
      else this.error = error;
    }
    this.repairing = false;
    await this.start();
    this.changed();
    await this.readAgain();
  }

  /** Reads the files again of the collections that a repair has left to be filled; one that fails does not hold up others. */
  async readAgain(): Promise<void> {
    for (const name of this.toRead) {
      await this.index(name, [], { rebuild: true });
      if (this.stopped || this.paused || this.report?.canceled) return;
      if (!this.error) this.toRead = this.toRead.filter((n) => n !== name);
    }
  }

  cancelIndex(): void {
    void this.api.cancelIndex();
  }

  /** Stops the run, to go on with it later. */
  pause(): void {
    this.pausing = true;
    this.cancelIndex();
  }

  async goOn(): Promise<void> {
    if (this.paused) await this.index(this.paused.collection, [], this.paused.how);
  }

  dismiss(): void {
    this.paused = undefined;
    this.report = undefined;
    this.error = undefined;
    this.stopped = false;
  }
}

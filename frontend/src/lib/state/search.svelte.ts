import type { Api, ApiError, SearchRequest, SearchResponse } from '../api';
import { toApiError } from '../api/errors';

/** How long the analyst must pause before a search starts, in milliseconds: keys that come at once are one. */
export const pause = 4;

/** How long before it is reranked: who types words ends the search by the next key, before it costs anything. */
const settle = 150;

export type Options = Pick<SearchRequest, 'collection' | 'method' | 'rerank' | 'variety' | 'top'>;

/** What the analyst lets leave where a collection's policy is to ask: this search's request, however often it takes, or one. */
export type Consent = false | 'search' | 'once';

export type Phase =
  | 'idle' // nothing typed
  | 'loading' // asked, nothing of this query yet; an older answer may still be shown
  | 'partial' // the order so far is shown, reranking runs
  | 'done'
  | 'failed';

/**
 * Search as you type. Every search has a number above all before it; answers with another number than
 * the last one's are dropped, whenever they come.
 */
export class Search {
  query = $state('');
  phase = $state<Phase>('idle');
  response = $state.raw<SearchResponse>();
  error = $state.raw<ApiError>();
  /** When the answer was given that is shown, where it is one of the history. */
  past = $state.raw<string>();

  private id = Date.now(); // above the numbers of this window before it was reloaded
  private timer: ReturnType<typeof setTimeout> | undefined;
  private last: { query: string; options: Options } | undefined;

  constructor(
    private readonly api: Pick<Api, 'search' | 'cancelSearch' | 'onPartial'>,
    private readonly options: () => Options,
  ) {}

  /** Of the last search that was begun: its answer has it as its own. */
  get number(): number {
    return this.id;
  }

  /** Listens for partial orders; returns what stops it. */
  listen(): () => void {
    return this.api.onPartial(({ id, response }) => {
      if (id !== this.id || (this.phase !== 'loading' && this.phase !== 'partial')) return;
      this.response = response;
      this.phase = 'partial';
    });
  }

  /** The text has changed: searches after a pause, or shows the empty state at once. */
  type(query: string): void {
    this.query = query;
    clearTimeout(this.timer);
    if (query.trim() === '') this.clear();
    else this.timer = setTimeout(() => void this.run(false, settle), pause);
  }

  /** Searches now, unless this very search is already on its way or answered. */
  submit(): void {
    if (this.query.trim() === '') return;
    const same =
      this.last?.query === this.query && JSON.stringify(this.last.options) === JSON.stringify(this.options());
    if (!same || this.phase === 'failed' || this.phase === 'idle') void this.run();
  }

  /** Searches for something that was not typed. */
  ask(query: string): void {
    this.query = query;
    void this.run();
  }

  /** Shows an answer that was given before, without searching. */
  show(response: SearchResponse, at: string): void {
    if (this.phase === 'loading' || this.phase === 'partial') this.stop();
    clearTimeout(this.timer);
    this.id++;
    this.last = undefined;
    this.error = undefined;
    this.query = response.query;
    this.response = response;
    this.past = at;
    this.phase = 'done';
  }

  /** Searches again with what is typed, with other options or after the index has changed. */
  async run(send: Consent = false, settle_ms = 0): Promise<void> {
    clearTimeout(this.timer);
    if (this.query.trim() === '') return;
    const id = ++this.id;
    const { query } = this;
    const options = this.options();
    this.last = { query, options };
    this.phase = 'loading';
    this.error = this.past = undefined;
    try {
      const response = await this.api.search(id, {
        ...options,
        query,
        fusion: '',
        candidates: 0,
        per_document: 0,
        offline: false,
        send: send === 'search',
        once: send === 'once',
        settle_ms,
      });
      if (id !== this.id) return;
      this.response = response;
      this.phase = 'done';
    } catch (reason) {
      if (id !== this.id) return;
      const error = toApiError(reason);
      this.error = error;
      this.phase = error.canceled ? (this.response ? 'done' : 'idle') : 'failed';
    }
  }

  /** Esc: stops the search that runs, or else empties the box. */
  escape(): void {
    if (this.phase === 'loading' || this.phase === 'partial') this.stop();
    else this.type('');
  }

  /** Ends the search and keeps what is shown. */
  private stop(): void {
    clearTimeout(this.timer);
    this.id++;
    this.last = undefined;
    this.phase = this.response ? 'done' : 'idle';
    void this.api.cancelSearch();
  }

  private clear(): void {
    if (this.phase === 'loading' || this.phase === 'partial') this.stop();
    this.id++;
    this.last = undefined;
    this.response = undefined;
    this.error = this.past = undefined;
    this.phase = 'idle';
  }
}

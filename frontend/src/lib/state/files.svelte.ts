import type { Api, ApiError, DocumentEntry, FileFilter } from '../api';
import { toApiError } from '../api/errors';

/** How many files are asked for at a time. */
export const page = 400;

/** How long the analyst must pause before what is typed filters, in milliseconds. */
const pause = 150;

/** The files of one collection that a filter lets through, from the first on, as far as they were looked at. */
export class Files {
  collection = $state<string>();
  /** Only files in these states; none: in any. */
  states = $state.raw<string[]>([]);
  text = $state('');
  list = $state.raw<DocumentEntry[]>([]);
  /** There are others after the last of the list. */
  more = $state(false);
  loading = $state(false);
  failure = $state.raw<ApiError>();

  private asked = 0; // an answer to an older question does not count
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly api: Pick<Api, 'files'>) {}

  get filter(): FileFilter {
    return { states: this.states, text: this.text.trim() };
  }

  /** Shows a collection, without a filter. */
  open(collection: string): Promise<void> {
    this.collection = collection;
    this.states = [];
    this.text = '';
    this.list = [];
    return this.load();
  }

  /** Shows one state, or all of them. */
  only(state: string | undefined): Promise<void> {
    this.states = state === undefined ? [] : [state];
    return this.load();
  }

  type(text: string): void {
    this.text = text;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.load(), pause);
  }

  /** Asks anew, for as many as are shown. */
  load = (): Promise<void> => this.ask(Math.max(page, this.list.length), false);

  /** Asks for those that follow. */
  async next(): Promise<void> {
    if (this.more && !this.loading) await this.ask(page, true);
  }

  private async ask(limit: number, onward: boolean): Promise<void> {
    const { collection } = this;
    if (collection === undefined) return;
    const asked = ++this.asked;
    const last = onward ? this.list.at(-1) : undefined;
    this.loading = true;
    try {
      const after = last && { path: last.path, member: last.member };
      const found = await this.api.files(collection, { ...this.filter, limit, ...(after && { after }) });
      if (asked !== this.asked) return;
      this.list = onward ? [...this.list, ...found.documents] : found.documents;
      this.more = found.more;
      this.failure = undefined;
    } catch (reason) {
      if (asked !== this.asked) return;
      this.failure = toApiError(reason);
    }
    this.loading = false;
  }
}

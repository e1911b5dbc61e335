import type { Api, ApiError, Preview, PreviewMatches } from '../api';
import { toApiError } from '../api/errors';

/** How long a selection must stand before its passage is asked for, in milliseconds. */
export const pause = 120;

export type View = 'page' | 'text';

/** How a page is made to fit: by its width or whole. */
export type Fit = 'width' | 'height';

type PreviewApi = Pick<Api, 'preview' | 'matches' | 'cancelPreview'>;

/** What of a document is wanted beside its passage: another page, or the text around another passage. */
type Elsewhere = { page?: number; near?: number };

/** The pane beside the results. Only the last thing that was asked for is shown. */
export class Previewer {
  /** The passage that is wanted; undefined: the pane is closed. */
  chunk = $state<number>();
  /** The query whose words are marked. */
  query = $state('');
  /** What was shown last, of this passage or, while another one is asked for, of one before. */
  shown = $state.raw<Preview>();
  error = $state.raw<ApiError>();
  loading = $state(false);
  /** The passages of the document that match; undefined: not known yet. */
  matches = $state.raw<PreviewMatches>();
  view = $state<View>('page');
  fit = $state<Fit>('width');
  /** How wide the picture of a page is wanted, in pixels. */
  width = 800;

  private id = Date.now(); // above the numbers of this window before it was reloaded
  private timer: ReturnType<typeof setTimeout> | undefined;
  private matched = ''; // the document and the query of matches

  constructor(private readonly api: PreviewApi) {}

  get open(): boolean {
    return this.chunk !== undefined;
  }

  /** Where the passage is among those that match, from 0; -1: it is none of them. */
  get match(): number {
    return this.matches?.matches.findIndex((m) => m.chunk_id === this.shown?.chunk_id) ?? -1;
  }

  show(chunk: number, query: string): void {
    this.chunk = chunk;
    this.query = query;
    void this.ask({});
  }

  /** Shows another passage once the selection stands still; nothing while the pane is closed. */
  follow(chunk: number, query: string): void {
    if (!this.open || (chunk === this.chunk && query === this.query)) return;
    this.chunk = chunk;
    this.query = query;
    this.loading = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask({}), pause);
  }

  close(): void {
    clearTimeout(this.timer);
    if (this.loading) void this.api.cancelPreview();
    this.id++;
    this.chunk = undefined;
    this.shown = undefined;
    this.error = undefined;
    this.loading = false;
    this.matches = undefined;
    this.matched = '';
  }

  retry = () => void this.ask({});
  /** Leads back from another page or another part of the text. */
  back = () => void this.ask({});

  /** Turns so many pages. */
  turn(step: number): void {
    const page = this.shown?.page;
    if (!page) return;
    const number = page.number + step;
    if (number >= 1 && number <= page.of) void this.ask({ page: number });
  }

  /** Shows the text around another passage of the document: one before or after what is shown. */
  near(chunk: number): void {
    if (chunk !== 0) void this.ask({ near: chunk });
  }

  /** Goes to the next match of the document, or with -1 to the one before; from the last to the first. */
  step(step: 1 | -1): void {
    const matches = this.matches?.matches;
    if (!matches?.length || !this.shown) return;
    const { ordinal } = this.shown;
    const to =
      step > 0
        ? (matches.find((m) => m.ordinal > ordinal) ?? matches[0])
        : (matches.findLast((m) => m.ordinal < ordinal) ?? matches.at(-1));
    if (to) this.show(to.chunk_id, this.query);
  }

  private async ask(elsewhere: Elsewhere): Promise<void> {
    clearTimeout(this.timer);
    if (this.chunk === undefined) return;
    const id = ++this.id;
    const { chunk, query } = this;
    this.loading = true;
    this.error = undefined;
    try {
      const shown = await this.api.preview(id, {
        chunk_id: chunk,
        query,
        width: this.view === 'text' ? 0 : this.width,
        ...elsewhere,
      });
      if (id !== this.id) return;
      this.shown = shown;
      this.loading = false;
      await this.find(shown, query);
    } catch (reason) {
      if (id !== this.id) return;
      const error = toApiError(reason);
      this.loading = false;
      if (!error.canceled) this.error = error;
    }
  }

  /** Shows a document as its pages or as text. */
  as(view: View): void {
    this.view = view;
    if (view === 'page' && !this.shown?.page) void this.ask({});
  }

  private async find(shown: Preview, query: string): Promise<void> {
    const key = `${shown.document_id} ${query}`;
    if (key === this.matched) return;
    this.matched = key;
    this.matches = undefined;
    try {
      const matches = await this.api.matches(shown.chunk_id, query);
      if (key === this.matched) this.matches = matches;
    } catch {
      if (key === this.matched) this.matched = '';
      // the passage is shown all the same; there is only no way from match to match
    }
  }
}

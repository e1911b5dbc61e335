import type { Api, Hit } from '../api';
import type { I18n } from '../i18n/index.svelte';
import { quotation } from '../quote';
import { Attempts } from './attempts.svelte';
import type { Quotes } from './settings.svelte';

type TakeApi = Pick<Api, 'passage' | 'copy' | 'exportSearch'>;

/** What is taken out of results: a quotation into the clipboard, all of them into a file. */
export class Take extends Attempts {
  /** The passage that was copied last; its copies are told of by `copies`. */
  chunk = $state<number>();
  copies = $state(0);
  /** Where the results were written last. */
  file = $state<string>();

  constructor(
    private readonly api: TakeApi,
    private readonly i18n: I18n,
    private readonly as: () => Quotes,
  ) {
    super();
  }

  /** Copies a passage, whole, with its source. */
  async quote(hit: Hit): Promise<void> {
    await this.attempt(async () => {
      const view = await this.api.passage(hit.chunk_id);
      const text = quotation(hit, view, this.as(), this.i18n.t, this.i18n.f);
      if (!(await this.api.copy(text))) throw new Error(this.i18n.t.keep.quoteFailed);
      this.chunk = hit.chunk_id;
      this.copies++;
    });
  }

  async export(search: number, ending: string): Promise<void> {
    await this.attempt(async () => {
      this.file = (await this.api.exportSearch(search, ending)) || undefined;
    });
  }

  /** Other results are shown: nothing is told of these any more. */
  forget(): void {
    this.chunk = this.file = this.failure = undefined;
  }
}

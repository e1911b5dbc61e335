import type { Api, HistoryEntry, SavedSearch, SearchResponse } from '../api';
import { Attempts } from './attempts.svelte';

type HistoryApi = Pick<
  Api,
  | 'history'
  | 'pastSearch'
  | 'forgetSearch'
  | 'clearHistory'
  | 'savedSearches'
  | 'saveSearch'
  | 'renameSearch'
  | 'deleteSearch'
>;

/** What was searched, and the searches that have names. */
export class History extends Attempts {
  words = $state('');
  entries = $state.raw<HistoryEntry[]>();
  saved = $state.raw<SavedSearch[]>([]);
  private asked = 0;

  constructor(private readonly api: HistoryApi) {
    super();
  }

  async load(): Promise<void> {
    await this.attempt(async () => {
      this.saved = await this.api.savedSearches();
      await this.list();
    });
  }

  /** Lists the searches with these words; a later call counts. */
  async find(words: string): Promise<void> {
    this.words = words;
    await this.attempt(() => this.list());
  }

  async past(id: number): Promise<SearchResponse | undefined> {
    return this.attempt(() => this.api.pastSearch(id));
  }

  async forget(id: number): Promise<void> {
    await this.attempt(async () => {
      await this.api.forgetSearch(id);
      await this.list();
    });
  }

  async clear(): Promise<boolean> {
    return (
      (await this.attempt(async () => {
        await this.api.clearHistory();
        await this.list();
        return true;
      })) ?? false
    );
  }

  async save(search: SavedSearch): Promise<boolean> {
    return this.change(() => this.api.saveSearch(search));
  }
  async rename(from: string, to: string): Promise<boolean> {
    return this.change(() => this.api.renameSearch(from, to));
  }
  async delete(name: string): Promise<boolean> {
    return this.change(() => this.api.deleteSearch(name));
  }

  private async change(what: () => Promise<void>): Promise<boolean> {
    const done = await this.attempt(async () => {
      await what();
      this.saved = await this.api.savedSearches();
      return true;
    });
    return done ?? false;
  }

  private async list(): Promise<void> {
    const asked = ++this.asked;
    const entries = await this.api.history(this.words);
    if (asked === this.asked) this.entries = entries;
  }
}

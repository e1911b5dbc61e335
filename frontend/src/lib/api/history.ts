import * as Service from '../../../wailsjs/go/app/HistoryService';
import type { domain } from '../../../wailsjs/go/models';
import { call, list } from './call';
import { responseOf } from './response';

export type HistoryEntry = domain.HistoryEntry;
export type SavedSearch = domain.SavedSearch;

export const history = {
  history: (words: string) => call(Service.List(words)).then((all) => list(all).map(entry)),
  /** The answer to a search that is kept, as it was; nothing is searched. */
  pastSearch: (id: number) => call(Service.Past(id)).then(responseOf),
  forgetSearch: (id: number) => call(Service.Forget(id)),
  clearHistory: () => call(Service.Clear()),
  savedSearches: () => call(Service.Saved()).then((all) => list<SavedSearch>(all)),
  saveSearch: (search: SavedSearch) => call(Service.Save(search)),
  renameSearch: (from: string, to: string) => call(Service.Rename(from, to)),
  deleteSearch: (name: string) => call(Service.Delete(name)),
};

const entry = (e: HistoryEntry): HistoryEntry =>
  ({ ...e, trace: { ...e.trace, hits: list(e.trace.hits) } }) as HistoryEntry;

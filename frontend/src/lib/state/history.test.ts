import { describe, expect, it } from 'vitest';
import { ApiError, type HistoryEntry, type SavedSearch } from '../api';
import { History } from './history.svelte';

const entry = (id: number, query: string) => ({ id, query }) as HistoryEntry;

function fake() {
  const state = { entries: [entry(2, 'lamp'), entry(1, 'oil')], saved: [] as SavedSearch[] };
  const waiting: ((list: HistoryEntry[]) => void)[] = [];
  const history = new History({
    history: (words) =>
      words === 'slow'
        ? new Promise((resolve) => waiting.push(resolve))
        : Promise.resolve(state.entries.filter((e) => e.query.includes(words))),
    pastSearch: () => Promise.reject(new ApiError('not_found', 'it is gone', 'search again')),
    forgetSearch: (id) => {
      state.entries = state.entries.filter((e) => e.id !== id);
      return Promise.resolve();
    },
    clearHistory: () => {
      state.entries = [];
      return Promise.resolve();
    },
    savedSearches: () => Promise.resolve(state.saved),
    saveSearch: (s) => {
      if (state.saved.some((o) => o.name === s.name))
        return Promise.reject(new ApiError('usage', 'there is one already', 'choose another'));
      state.saved = [...state.saved, s];
      return Promise.resolve();
    },
    renameSearch: () => Promise.resolve(),
    deleteSearch: () => Promise.resolve(),
  });
  return { history, waiting };
}

describe('the history', () => {
  it('is listed by words, and the last words count', async () => {
    const { history, waiting } = fake();
    await history.load();
    expect(history.entries?.map((e) => e.id)).toEqual([2, 1]);
    const slow = history.find('slow');
    await history.find('oil');
    waiting[0]!([]);
    await slow;
    expect(history.entries?.map((e) => e.id)).toEqual([1]);
  });

  it('forgets one, or all', async () => {
    const { history } = fake();
    await history.load();
    await history.forget(2);
    expect(history.entries?.map((e) => e.id)).toEqual([1]);
    expect(await history.clear()).toBe(true);
    expect(history.entries).toEqual([]);
  });

  it('says what went wrong, until something goes well', async () => {
    const { history } = fake();
    expect(await history.past(7)).toBeUndefined();
    expect(history.failure?.hint).toBe('search again');
    const one = { name: 'lamps', query: 'lamp' } as SavedSearch;
    expect([await history.save(one), history.saved, history.failure]).toEqual([true, [one], undefined]);
    expect([await history.save(one), history.failure?.code]).toEqual([false, 'usage']);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, type Partial, type SearchRequest, type SearchResponse } from '../api';
import { pause, Search } from './search.svelte';

/** A backend that answers when it is told to. */
class FakeApi {
  asked: {
    id: number;
    request: SearchRequest;
    answer: (query?: string) => void;
    fail: (e: unknown) => void;
  }[] = [];
  canceled = 0;
  private partial: ((p: Partial) => void) | undefined;

  search = (id: number, request: SearchRequest) =>
    new Promise<SearchResponse>((resolve, fail) => {
      this.asked.push({ id, request, answer: (q) => resolve(answerTo(q ?? request.query)), fail });
    });
  cancelSearch = () => {
    this.canceled++;
    return Promise.resolve();
  };
  onPartial = (callback: (p: Partial) => void) => {
    this.partial = callback;
    return () => {};
  };
  sendPartial(id: number, query: string) {
    this.partial?.({ id, response: { ...answerTo(query), partial: true } });
  }
}

const answerTo = (query: string) => ({ query, hits: [], partial: false }) as unknown as SearchResponse;
const settle = () => vi.advanceTimersByTimeAsync(0);

describe('search as you type', () => {
  let api: FakeApi;
  let search: Search;
  beforeEach(() => {
    vi.useFakeTimers();
    api = new FakeApi();
    search = new Search(api, () => ({
      collection: 'default',
      method: 'hybrid',
      rerank: 'auto',
      variety: false,
      top: 20,
    }));
    search.listen();
  });
  afterEach(() => vi.useRealTimers());

  const typed = async (query: string) => {
    search.type(query);
    await vi.advanceTimersByTimeAsync(pause);
    return api.asked.at(-1)!;
  };

  it('waits for a pause and searches once', async () => {
    for (const q of ['l', 'la', 'lamp']) {
      search.type(q);
      await vi.advanceTimersByTimeAsync(pause - 1);
    }
    expect(api.asked).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(api.asked.map((a) => a.request.query)).toEqual(['lamp']);
  });

  it('shows only the answer of the last search, whichever comes first', async () => {
    const first = await typed('one');
    const second = await typed('two');
    expect(second.id).toBeGreaterThan(first.id);
    second.answer();
    await settle();
    first.answer();
    api.sendPartial(first.id, 'one');
    await settle();
    expect(search.response?.query).toBe('two');
    expect(search.phase).toBe('done');
  });

  it('shows the partial order until the final one, and never after it', async () => {
    const asked = await typed('one');
    api.sendPartial(asked.id, 'one');
    expect(search.phase).toBe('partial');
    expect(search.response?.partial).toBe(true);
    asked.answer();
    await settle();
    api.sendPartial(asked.id, 'one');
    expect(search.phase).toBe('done');
    expect(search.response?.partial).toBe(false);
  });

  it('drops the partial order of an older search', async () => {
    const first = await typed('one');
    await typed('two');
    api.sendPartial(first.id, 'one');
    expect([search.phase, search.response]).toEqual(['loading', undefined]);
  });

  it('keeps what is shown while the next search runs', async () => {
    (await typed('one')).answer();
    await settle();
    await typed('two');
    expect([search.phase, search.response?.query]).toEqual(['loading', 'one']);
  });

  it('a failure is shown, a cancellation is not', async () => {
    (await typed('one')).fail(new ApiError('internal', 'boom', 'hint'));
    await settle();
    expect([search.phase, search.error?.message]).toEqual(['failed', 'boom']);
    (await typed('two')).fail(new ApiError('canceled', 'canceled', ''));
    await settle();
    expect(search.phase).toBe('idle');
  });

  it('Esc stops a running search first, then clears the box', async () => {
    const asked = await typed('one');
    search.escape();
    expect([search.query, search.phase, api.canceled]).toEqual(['one', 'idle', 1]);
    asked.answer();
    await settle();
    expect(search.response).toBeUndefined();
    search.escape();
    expect(search.query).toBe('');
  });

  it('an emptied box drops the answer on its way', async () => {
    const asked = await typed('one');
    search.type(' ');
    asked.answer();
    await settle();
    expect([search.phase, search.response]).toEqual(['idle', undefined]);
  });

  it('Enter searches at once, and not twice for the same', async () => {
    search.type('one');
    search.submit();
    search.submit();
    await vi.advanceTimersByTimeAsync(pause);
    expect(api.asked).toHaveLength(1);
  });

  it('sends only when told to, and only that once', async () => {
    await typed('one');
    void search.run('search');
    await typed('two');
    expect(api.asked.map((a) => a.request.send)).toEqual([false, true, false]);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Preview, PreviewMatches, PreviewRequest } from '../api';
import { pause, Previewer } from './preview.svelte';

/** A backend that answers when it is told to. Passage n is the n-th of document 1, on page n. */
class FakeApi {
  asked: { id: number; request: PreviewRequest; answer: () => void; fail: (e: unknown) => void }[] = [];
  searched: number[] = [];
  canceled = 0;

  preview = (id: number, request: PreviewRequest) =>
    new Promise<Preview>((resolve, fail) => {
      const answer = () =>
        resolve({
          chunk_id: request.chunk_id,
          document_id: 1,
          ordinal: request.chunk_id,
          page: { number: request.page ?? request.chunk_id, of: 9 },
        } as Preview);
      this.asked.push({ id, request, answer, fail });
    });
  matches = (chunk: number) => {
    this.searched.push(chunk);
    return Promise.resolve({
      matches: [2, 4, 7].map((n) => ({ chunk_id: n, ordinal: n })),
      more: false,
    } as PreviewMatches);
  };
  cancelPreview = () => {
    this.canceled++;
    return Promise.resolve();
  };
}

describe('the preview', () => {
  let api: FakeApi;
  let preview: Previewer;
  beforeEach(() => {
    vi.useFakeTimers();
    api = new FakeApi();
    preview = new Previewer(api);
  });
  afterEach(() => vi.useRealTimers());

  const answered = async () => {
    api.asked.at(-1)!.answer();
    await vi.advanceTimersByTimeAsync(0);
  };
  const shown = async (chunk: number) => {
    preview.show(chunk, 'lamp');
    await answered();
  };

  it('follows nobody while it is closed', async () => {
    preview.follow(1, 'lamp');
    await vi.advanceTimersByTimeAsync(pause * 2);
    expect(api.asked).toHaveLength(0);
  });

  it('asks for the passage where the selection stands still', async () => {
    await shown(1);
    for (const n of [2, 3, 4]) {
      preview.follow(n, 'lamp');
      await vi.advanceTimersByTimeAsync(pause - 1);
    }
    expect(preview.loading).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(api.asked.map((a) => a.request.chunk_id)).toEqual([1, 4]);
    await answered();
    expect(preview.shown?.chunk_id).toBe(4);
    expect(preview.loading).toBe(false);
  });

  it('shows the last answer only', async () => {
    preview.show(1, 'lamp');
    preview.show(2, 'lamp');
    const [first, second] = api.asked;
    second!.answer();
    await vi.advanceTimersByTimeAsync(0);
    first!.answer();
    await vi.advanceTimersByTimeAsync(0);
    expect(preview.shown?.chunk_id).toBe(2);
    expect(second!.id).toBeGreaterThan(first!.id);
  });

  it('goes from match to match, and round', async () => {
    await shown(4);
    expect(preview.match).toBe(1);
    for (const [step, to] of [
      [1, 7],
      [1, 2],
      [-1, 7],
    ] as const) {
      preview.step(step);
      await answered();
      expect(preview.shown?.chunk_id).toBe(to);
    }
    expect(api.searched).toEqual([4]); // once a document and query
  });

  it('finds the next match from a passage that is none', async () => {
    await shown(5);
    expect(preview.match).toBe(-1);
    preview.step(-1);
    expect(api.asked.at(-1)!.request.chunk_id).toBe(4);
  });

  it('turns pages within the document', async () => {
    await shown(8);
    preview.turn(1);
    expect(api.asked.at(-1)!.request.page).toBe(9);
    await answered();
    preview.turn(1);
    expect(api.asked).toHaveLength(2);
  });

  it('wants no picture while it shows text', async () => {
    preview.as('text');
    await shown(1);
    expect(api.asked[0]!.request.width).toBe(0);
  });

  it('keeps what it shows when a page fails, and says why', async () => {
    await shown(1);
    preview.turn(1);
    api.asked.at(-1)!.fail(new Error('broken'));
    await vi.advanceTimersByTimeAsync(0);
    expect(preview.error?.message).toBe('broken');
    expect(preview.shown?.chunk_id).toBe(1);
  });

  it('forgets everything when it closes, what is on its way included', async () => {
    preview.show(1, 'lamp');
    preview.close();
    await answered();
    expect(api.canceled).toBe(1);
    expect(preview.open).toBe(false);
    expect(preview.shown).toBeUndefined();
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, type DocumentEntry, type DocumentPage, type FileFilter } from '../api';
import { Files, page } from './files.svelte';

/** A collection of so many files, whose answers may be held back. */
function fake(count: number) {
  const all = Array.from(
    { length: count },
    (_, i) => ({ id: i, path: `/${String(i).padStart(5, '0')}` }) as DocumentEntry,
  );
  const asked: FileFilter[] = [];
  const held: (() => void)[] = [];
  let hold = false;
  const api = {
    files: (_: string, filter: FileFilter) => {
      asked.push(filter);
      if (filter.text === 'broken') return Promise.reject(new ApiError('damaged', 'm', 'h'));
      const after = filter.after?.path ?? '';
      const rest = all.filter((d) => d.path > after && d.path.includes(filter.text ?? ''));
      const limit = filter.limit ?? 0;
      const answer = { documents: rest.slice(0, limit), more: rest.length > limit } as DocumentPage;
      if (!hold) return Promise.resolve(answer);
      return new Promise<DocumentPage>((resolve) => held.push(() => resolve(answer)));
    },
  };
  return { files: new Files(api), asked, held, hold: (on: boolean) => (hold = on) };
}

describe('the files of a collection', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('come a page at a time, and all of those shown again when asked anew', async () => {
    const { files, asked } = fake(page * 2 + 1);
    await files.open('papers');
    expect([files.list.length, files.more]).toEqual([page, true]);
    await files.next();
    await files.next();
    expect([files.list.length, files.more, new Set(files.list.map((d) => d.id)).size]).toEqual([
      page * 2 + 1,
      false,
      page * 2 + 1,
    ]);
    await files.next();
    expect(asked).toHaveLength(3);
    await files.load();
    expect(files.list.length).toBe(page * 2 + 1);
  });

  it('an older answer does not count', async () => {
    const { files, held, hold } = fake(10);
    await files.open('papers');
    hold(true);
    files.type('0000');
    await vi.advanceTimersByTimeAsync(1000);
    files.type('00003');
    await vi.advanceTimersByTimeAsync(1000);
    held[1]!();
    await vi.advanceTimersByTimeAsync(0);
    held[0]!();
    await vi.advanceTimersByTimeAsync(0);
    expect(files.list.map((d) => d.id)).toEqual([3]);
    expect(files.loading).toBe(false);
  });

  it('a failure is said and passes', async () => {
    const { files } = fake(10);
    await files.open('papers');
    files.type('broken');
    await vi.advanceTimersByTimeAsync(1000);
    expect([files.failure?.code, files.loading]).toEqual(['damaged', false]);
    await files.only('failed');
    files.type('');
    await vi.advanceTimersByTimeAsync(1000);
    expect([files.failure, files.filter]).toEqual([undefined, { states: ['failed'], text: '' }]);
  });
});

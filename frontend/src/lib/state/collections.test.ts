import { describe, expect, it } from 'vitest';
import { ApiError, type Watch } from '../api';
import { Collections } from './collections.svelte';

function fake() {
  let heard: ((w: Watch) => void) | undefined;
  const state = { changed: 0, fails: undefined as ApiError | undefined, path: '/x', folder: '/f' };
  const done = () => (state.fails ? Promise.reject(state.fails) : Promise.resolve());
  const api = {
    files: () => Promise.resolve({ documents: [], more: false }),
    renameCollection: done,
    removeCollection: done,
    removeFolder: done,
    setPolicy: done,
    setSettings: done,
    countFiles: () => Promise.reject(new ApiError('canceled', 'another one', '')),
    exportFiles: () => done().then(() => state.path),
    watches: () => Promise.resolve([{ collection: 'a', changed: 3 } as Watch]),
    onWatch: (callback: (w: Watch) => void) => {
      heard = callback;
      return () => {};
    },
    chooseFolder: () => done().then(() => state.folder),
  };
  const collections = new Collections(api as never, () => Promise.resolve(void state.changed++));
  collections.listen();
  return { collections, state, say: (w: Partial<Watch>) => heard?.(w as Watch) };
}

const settle = () => new Promise((resolve) => setTimeout(resolve));

describe('looking after collections', () => {
  it('knows what is watched, and asks anew only where that has changed something', async () => {
    const { collections, state, say } = fake();
    await settle();
    say({ collection: 'a', changed: 3 });
    say({ collection: 'b', changed: 0 });
    expect([Object.keys(collections.watches), state.changed]).toEqual([['a', 'b'], 0]);
    say({ collection: 'a', changed: 4 });
    expect(state.changed).toBe(1);
  });

  it('shows what failed until the next thing is done', async () => {
    const { collections, state } = fake();
    state.fails = new ApiError('locked', 'in use', 'wait');
    expect(await collections.remove('a')).toBe(false);
    expect([collections.failure?.code, state.changed]).toEqual(['locked', 1]);
    state.fails = undefined;
    expect(await collections.setPolicy('a', 'never')).toBe(true);
    expect(collections.failure).toBeUndefined();
  });

  it('follows the one that is shown to its new name', async () => {
    const { collections, state } = fake();
    collections.chosen = 'a';
    await collections.rename('a', 'b');
    expect(collections.chosen).toBe('b');
    state.fails = new ApiError('usage', 'taken', '');
    await collections.rename('b', 'c');
    expect(collections.chosen).toBe('b');
  });

  it('what was given up is no failure', async () => {
    const { collections, state } = fake();
    expect(await collections.count('a', {} as never)).toBeUndefined();
    state.fails = new ApiError('canceled', 'canceled', '');
    expect([await collections.folder(), await collections.export(false), collections.failure]).toEqual([
      '',
      '',
      undefined,
    ]);
  });
});

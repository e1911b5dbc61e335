import { describe, expect, it } from 'vitest';
import {
  ApiError,
  type CollectionSummary,
  type IndexProgress,
  type IndexReport,
  type RepairReport,
  type Status,
} from '../api';
import { Library } from './library.svelte';

/** A backend whose index run ends when it is told to, and whose documents appear once they are read. */
function fake() {
  let progress: ((p: IndexProgress) => void) | undefined;
  let end: { resolve: (r: IndexReport) => void; reject: (e: unknown) => void } | undefined;
  let mend: { resolve: () => void; reject: (e: unknown) => void } | undefined;
  const state = {
    documents: 0,
    opens: true,
    changed: 0,
    runs: 0,
    asked: (answer: () => void) => answer(),
    loaded: Promise.resolve(),
    repair: { repair: 'anew', collections: [] } as unknown as RepairReport,
  };
  const collections = () => {
    if (!state.opens) return Promise.reject(new ApiError('locked', 'in use', 'close it'));
    const answer = [{ name: 'default', documents: state.documents }] as CollectionSummary[];
    return new Promise<CollectionSummary[]>((resolve) => state.asked(() => resolve(answer)));
  };
  const status = () =>
    state.loaded.then(() => ({ embedder: { ready: true }, local_reranker: { ready: false } }) as Status);
  const library = new Library(
    {
      collections,
      status,
      retry: () => {
        state.opens = true;
        return status();
      },
      index: () => {
        state.runs++;
        return new Promise((resolve, reject) => (end = { resolve, reject }));
      },
      repair: () =>
        new Promise((resolve, reject) => (mend = { resolve: () => resolve(state.repair), reject })),
      cancelIndex: () => Promise.resolve(),
      onIndexProgress: (callback) => {
        progress = callback;
        return () => {};
      },
    },
    () => state.changed++,
  );
  library.listen();
  const at = (phase: string) => progress?.({ phase } as IndexProgress);
  return { library, state, at, end: () => end!, mend: () => mend! };
}

const settle = () => new Promise((resolve) => setTimeout(resolve));

describe('the library', () => {
  it('says why it could not start, and starts when tried again', async () => {
    const { library, state } = fake();
    state.opens = false;
    await library.start();
    expect([library.status, library.failure?.hint]).toEqual([undefined, 'close it']);
    await library.start(true);
    await settle();
    expect([library.failure, library.opened, library.limited]).toEqual([undefined, true, true]);
  });

  it('knows what there is to search before the models are loaded', async () => {
    const { library, state } = fake();
    let load = () => {};
    state.loaded = new Promise((resolve) => (load = resolve));
    await library.start();
    expect([library.opened, library.collections.length, library.status]).toEqual([true, 1, undefined]);
    load();
    await settle();
    expect(library.status?.embedder.ready).toBe(true);
  });

  it('believes the answer to its last question, whichever comes last', async () => {
    const { library, state } = fake();
    const answers: (() => void)[] = [];
    state.asked = (answer) => answers.push(answer);
    const first = library.start();
    state.documents = 1;
    const second = library.start();
    answers[1]!();
    await second;
    answers[0]!();
    await first;
    expect(library.collections[0]?.documents).toBe(1);
  });

  it('indexes once at a time, shows progress, then the report, and tells that answers may be old', async () => {
    const { library, state, at, end } = fake();
    const run = library.index('default', ['/a']);
    void library.index('default', ['/b']);
    expect([state.runs, library.indexing]).toEqual([1, 'default']);
    at('read');
    expect(library.progress?.phase).toBe('read');
    end().resolve({ indexed: 3 } as IndexReport);
    await run;
    expect([library.indexing, library.progress, library.report?.indexed, state.changed]).toEqual([
      undefined,
      undefined,
      3,
      1,
    ]);
    at('embed'); // too late to be shown
    expect(library.progress).toBeUndefined();
  });

  it('knows of the documents as soon as they are read', async () => {
    const { library, state, at } = fake();
    await library.start();
    void library.index('default', ['/a']);
    at('read');
    state.documents = 5;
    at('embed');
    await settle();
    expect(library.collections[0]?.documents).toBe(5);
  });

  it('shows a failed run, and of a canceled one only that it was stopped', async () => {
    for (const [code, shown, stopped] of [
      ['internal', 'boom', false],
      ['canceled', undefined, true],
    ] as const) {
      const { library, end } = fake();
      const run = library.index('default', ['/a']);
      end().reject(new ApiError(code, 'boom', ''));
      await run;
      expect([library.error?.message, library.stopped]).toEqual([shown, stopped]);
    }
  });

  it('goes on with a run that was paused, unless it had ended by then', async () => {
    const { library, state, end } = fake();
    const run = library.index('papers', [], { rebuild: true });
    library.pause();
    expect(library.pausing).toBe(true);
    end().resolve({ canceled: true } as IndexReport);
    await run;
    expect([library.paused?.collection, library.pausing, library.report]).toEqual([
      'papers',
      false,
      undefined,
    ]);
    const again = library.goOn();
    expect([state.runs, library.indexing, library.paused]).toEqual([2, 'papers', undefined]);
    library.pause();
    end().resolve({ canceled: false } as IndexReport); // it was done before it could be stopped
    await again;
    expect([library.paused, library.report?.canceled]).toEqual([undefined, false]);
  });

  describe('repairing the index', () => {
    const report = { indexed: 1, degraded: [] } as unknown as IndexReport;
    function repaired(...names: string[]) {
      const all = fake();
      const collections = names.map((name) => ({ name, roots: ['/docs'] }));
      all.state.repair = { repair: 'anew', collections: [...collections, { name: 'empty' }] } as RepairReport;
      return all;
    }

    it('closes what is searched, and reads the files of one collection after the other', async () => {
      const { library, state, end, mend } = repaired('a', 'b');
      await library.start();
      const done = library.repair();
      void library.repair(); // a second one does nothing
      expect([library.opened, library.repairing]).toEqual([false, true]);
      mend().resolve();
      await settle();
      expect([library.opened, library.repairing, library.indexing]).toEqual([true, false, 'a']);
      end().resolve(report);
      await settle();
      expect([library.indexing, library.toRead]).toEqual(['b', ['b']]);
      end().resolve(report);
      await done;
      expect([library.toRead, library.repaired?.repair, state.runs]).toEqual([[], 'anew', 2]);
    });

    it('keeps what is left to be read when it is stopped, and goes on with that', async () => {
      const { library, end, mend } = repaired('a', 'b');
      const done = library.repair();
      mend().resolve();
      await settle();
      end().reject(new ApiError('canceled', 'canceled', ''));
      await done;
      expect([library.stopped, library.toRead]).toEqual([true, ['a', 'b']]);
      void library.readAgain();
      expect([library.stopped, library.indexing]).toEqual([false, 'a']);
    });

    it('reads the others where one cannot be read, which it does not forget', async () => {
      const { library, end, mend } = repaired('a', 'b');
      const done = library.repair();
      mend().resolve();
      await settle();
      end().reject(new ApiError('not_found', 'there is no folder', 'check the path'));
      await settle();
      end().resolve(report);
      await done;
      expect(library.toRead).toEqual(['a']);
    });

    it('says that it was stopped before it had done anything', async () => {
      const { library, mend } = repaired('a');
      const done = library.repair();
      mend().reject(new ApiError('canceled', 'canceled', ''));
      await done;
      expect([library.stopped, library.repaired, library.opened]).toEqual([true, undefined, true]);
    });
  });
});

import { describe, expect, it } from 'vitest';
import { ApiError, type CollectionSummary, type IndexProgress, type IndexReport, type Status } from '../api';
import { Library } from './library.svelte';

/** A backend whose index run ends when it is told to, and whose documents appear once they are read. */
function fake() {
  let progress: ((p: IndexProgress) => void) | undefined;
  let end: { resolve: (r: IndexReport) => void; reject: (e: unknown) => void } | undefined;
  const state = {
    documents: 0,
    opens: true,
    changed: 0,
    runs: 0,
    asked: (answer: () => void) => answer(),
    loaded: Promise.resolve(),
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
  return { library, state, at, end: () => end! };
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
});

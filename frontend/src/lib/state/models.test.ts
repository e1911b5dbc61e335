import { describe, expect, it } from 'vitest';
import { ApiError, type ModelImported, type ModelStatus, type ModelWork } from '../api';
import { Models } from './models.svelte';

const m3 = { name: 'm3', state: 'missing', sources: ['hub'], licence: 'MIT' } as ModelStatus;

/** A backend whose work ends when it is told to. */
function fake(before: Partial<ModelWork> = { kind: '' }) {
  let tell: ((w: ModelWork) => void) | undefined;
  let end: { resolve: (v?: unknown) => void; reject: (e: unknown) => void } | undefined;
  const calls: string[] = [];
  const state = { list: [m3], lists: true, offers: true, changed: 0 };
  const long = <T>(call: string) => {
    calls.push(call);
    return new Promise<T>((resolve, reject) => (end = { resolve: resolve as () => void, reject }));
  };
  const models = new Models(
    {
      models: () =>
        state.lists ? Promise.resolve(state.list) : Promise.reject(new ApiError('internal', 'boom', '')),
      modelOffer: (name) => {
        calls.push(`offer ${name}`);
        return state.offers
          ? Promise.resolve(m3)
          : Promise.reject(new ApiError('not_found', 'no such model', ''));
      },
      getModel: (name, from, reembed) => long(`get ${name} ${from}${reembed ? 'reembed' : ''}`),
      importModels: (path, reembed) => long<ModelImported[]>(`import ${path}${reembed ? ' reembed' : ''}`),
      verifyModels: (name) => long<ModelStatus[]>(`verify ${name}`),
      removeModel: (name) => long(`remove ${name}`),
      packModels: (to) => long(`pack ${to}`),
      cancelModelWork: () => {
        calls.push('cancel');
        return Promise.resolve();
      },
      modelWork: () => Promise.resolve(before as ModelWork),
      onModelWork: (callback) => {
        tell = callback;
        return () => (tell = undefined);
      },
    },
    () => state.changed++,
  );
  const stop = models.listen();
  const at = (kind: string, done = 0) =>
    tell?.({ kind, name: kind && 'm3', progress: { done } } as unknown as ModelWork);
  return { models, calls, state, at, stop, end: () => end! };
}

const settle = () => new Promise((resolve) => setTimeout(resolve));

describe('the models', () => {
  it('are listed, and a list that fails keeps the one before', async () => {
    const { models, state } = fake();
    expect(models.list).toBeUndefined();
    await models.load();
    state.lists = false;
    await models.load();
    expect([models.list, models.failure?.message]).toEqual([[m3], 'boom']);
    state.lists = true;
    await models.load();
    expect(models.failure).toBeUndefined();
  });

  it('come only after somebody agreed, and go on without being asked again', async () => {
    const { models, calls, end } = fake();
    await models.get('m3');
    expect([calls, models.offer?.status, models.work]).toEqual([['offer m3'], m3, undefined]);
    models.decline();
    await models.agree(); // to nothing
    expect(calls).toEqual(['offer m3']);
    await models.get('m3');
    const run = models.agree();
    expect([models.offer, models.work?.kind, calls.at(-1)]).toEqual([undefined, 'get', 'get m3 ']);
    end().reject(new ApiError('canceled', 'canceled', ''));
    await run;
    expect([models.ending?.how, models.ending?.error, models.work]).toEqual([
      'stopped',
      undefined,
      undefined,
    ]);
    void models.get('m3');
    expect(calls.at(-1)).toBe('get m3 ');
  });

  it('say what an offer failed on, and forget an offer that came too late', async () => {
    const { models, state } = fake();
    state.offers = false;
    await models.ask('m3');
    expect(models.offer?.error?.message).toBe('no such model');
    const late = models.ask('m3');
    models.decline();
    await late;
    expect(models.offer).toBeUndefined();
  });

  it('do one thing at a time, show its progress and its end with the new list', async () => {
    const { models, calls, state, at, end } = fake();
    const run = models.verify('m3');
    void models.remove('m3');
    expect(calls).toEqual(['verify m3']);
    at('verify', 5);
    expect(models.work?.progress.done).toBe(5);
    at(''); // its own call tells the end, with what came of it
    expect(models.work?.kind).toBe('verify');
    models.cancel();
    expect(calls.at(-1)).toBe('cancel');
    state.list = [{ ...m3, state: 'damaged' } as ModelStatus];
    end().resolve([m3]);
    await run;
    expect([models.work, models.list?.[0]?.state, models.ending?.checked, state.changed]).toEqual([
      undefined,
      'damaged',
      [m3],
      1,
    ]);
  });

  it('keep why the last work with one failed until the next begins', async () => {
    const { models, end } = fake();
    const run = models.remove('m3');
    end().reject(new ApiError('locked', 'in use', 'close it'));
    await run;
    expect([models.trouble('m3')?.hint, models.trouble('other')]).toEqual(['close it', undefined]);
    void models.verify('m3');
    expect(models.trouble('m3')).toBeUndefined();
  });

  it('that would have all vectors made again ask before, and only those are installed all the same', async () => {
    const { models, calls, end } = fake();
    const run = models.import(['/a', '/b']);
    end().resolve([{ name: 'one', from: '/a' }]);
    await settle();
    end().resolve([{ name: 'two', from: '/b', code: 'model_reembed', reason: '9 passages' }]);
    await run;
    expect(models.asks).toBe(true);
    void models.anyway();
    expect([models.asks, calls.at(-1)]).toEqual([false, 'import /b reembed']);
    end().resolve([{ name: 'two', from: '/b' }]);
    await settle();
    expect(models.asks).toBe(false);
    await models.ask('m3');
    const got = models.agree();
    end().reject(new ApiError('model_reembed', '9 passages', ''));
    await got;
    expect(models.asks).toBe(true);
    void models.anyway();
    expect(calls.at(-1)).toBe('get m3 reembed');
  });

  it('are imported from several paths, one after the other, and a failure ends it', async () => {
    const { models, calls, end } = fake();
    const run = models.import(['/a', '/b']);
    expect(calls).toEqual(['import /a']);
    end().resolve([{ name: 'one' }]);
    await settle();
    end().resolve([{ name: 'two', reason: 'no' }]);
    await run;
    expect([calls, models.ending?.imported?.map((i) => i.name)]).toEqual([
      ['import /a', 'import /b'],
      ['one', 'two'],
    ]);
    const failing = models.import(['/c', '/d']);
    end().reject(new ApiError('not_found', 'nothing in it', ''));
    await failing;
    expect([calls.includes('import /d'), models.ending?.how]).toEqual([false, 'failed']);
    models.dismiss();
    expect(models.ending).toBeUndefined();
  });

  it('ask for a path, and show a dialog that fails', async () => {
    const { models, calls, end } = fake();
    const choose = (dialog: () => Promise<string>) =>
      models.choose('import', dialog, (p) => models.import([p]));
    await choose(() => Promise.resolve(''));
    expect(calls).toEqual([]);
    await choose(() => Promise.reject(new Error('no desktop')));
    expect(models.ending?.error?.message).toBe('no desktop');
    const run = choose(() => Promise.resolve('/a'));
    await settle();
    await choose(() => Promise.resolve('/b')); // not while other work goes on
    expect(calls).toEqual(['import /a']);
    end().resolve([]);
    await run;
  });

  it('show work that began before the window did, and look again when it ends', async () => {
    const { models, state, at } = fake({ kind: 'get', name: 'm3' });
    await settle();
    expect(models.work?.name).toBe('m3');
    at('get', 7);
    expect(models.work?.progress.done).toBe(7);
    at('');
    await settle();
    expect([models.work, models.list, state.changed]).toEqual([undefined, [m3], 1]);
    at(''); // nothing went on
    expect(state.changed).toBe(1);
  });
});

import { describe, expect, it } from 'vitest';
import type { Component, DeviceTest, Doctor, ModelStatus, ModelWork } from './api';
import { formatter } from './format';
import { en } from './i18n/en';
import {
  actions,
  groups,
  progressFacts,
  progressSaid,
  rankerName,
  said,
  share,
  speed,
  withFaults,
} from './models';

const f = formatter('en');
const model = (of: Partial<ModelStatus>) => ({ sources: ['hub'], custom: false, ...of }) as ModelStatus;
const work = (kind: string, name: string, progress: object) =>
  ({ kind, name, progress }) as unknown as ModelWork;

it('models are grouped by what they do, the most precise first, and nothing is left out', () => {
  const list = [
    ['s', 'embedder', 'starter'],
    ['f', 'reranker', 'fast'],
    ['n', 'novelty', ''],
    ['p', 'reranker', 'precise'],
    ['c', 'runtime', 'cuda'],
  ].map(([name, role, tier]) => model({ name, role, tier }));
  expect(groups(list).map((g) => [g.role, ...g.models.map((m) => m.name)])).toEqual([
    ['reranker', 'p', 'f'],
    ['embedder', 's'],
    ['runtime', 'c'],
    ['novelty', 'n'],
  ]);
});

describe('what can be done', () => {
  it.each([
    ['installed', {}, ['verify', 'remove']],
    ['missing', {}, ['get']],
    ['missing', { sources: [] }, ['import']],
    ['incomplete', {}, ['continue', 'remove']],
    ['damaged', {}, ['again', 'verify', 'remove']],
    ['damaged', { custom: true }, ['import', 'verify', 'remove']],
    ['refused', {}, ['verify', 'remove']],
  ])('with one that is %s %o', (state, more, want) => {
    expect(actions(model({ state, ...more }))).toEqual(want);
  });
});

describe('progress', () => {
  it('is a share only where bytes are counted', () => {
    const p = (phase: string, done: number, total: number) =>
      share(work('get', '', { phase, done, total }).progress);
    expect([
      p('downloading', 1, 4),
      p('downloading', 5, 4),
      p('downloading', 1, 0),
      p('waiting', 1, 4),
    ]).toEqual([0.25, 1, undefined, undefined]);
  });
  it('says bytes, rate and time left as far as they are known', () => {
    const w = (progress: object, stalled = false) =>
      progressFacts(work('get', 'm', progress), stalled, en, f);
    const under = { phase: 'downloading', done: 21e6, total: 84e6, rate: 3e6, remaining: 21e9 };
    expect(w(under, true)).toEqual(['Receiving', '21 MB of 84 MB', 'nothing arrives just now']);
    expect(w(under)).toEqual(['Receiving', '21 MB of 84 MB', '3 MB/s', 'about 21 sec left']);
    expect(w({ phase: '', done: 0, total: 0, rate: 0, remaining: 0 })).toEqual(['Getting']);
    expect(w({ phase: 'downloading', done: 5e6, total: 0, rate: 0, remaining: 0 })).toEqual([
      'Receiving',
      '5 MB',
    ]);
  });
  it('is told to those who listen once a quarter', () => {
    const told = [1, 20, 26, 49, 50, 99].map((done) =>
      progressSaid(work('get', 'm', { phase: 'downloading', done, total: 100 }), en, f),
    );
    expect(new Set(told)).toEqual(
      new Set(['Getting · m · 0%', 'Getting · m · 25%', 'Getting · m · 50%', 'Getting · m · 75%']),
    );
  });
});

it('a model that was tried and did not run is shown as that', () => {
  const list = [model({ name: 'a', state: 'installed' }), model({ name: 'b', state: 'missing' })];
  const report = {
    models: [
      model({ name: 'a', state: 'refused', code: 'model_failed' }),
      model({ name: 'b', state: 'damaged' }), // as it was before it was removed
    ],
  } as Doctor;
  expect(withFaults(list, report).map((m) => m.state)).toEqual(['refused', 'missing']);
  expect(withFaults(list, undefined)).toEqual(list);
});

it('a ranker is named by its tier, by its kind, or as it is', () => {
  const list = [model({ name: 'bge', role: 'reranker', tier: 'precise' })];
  const named = (name: string) => rankerName({ name } as Component, list, en);
  expect([named('cross-encoder (bge)'), named('late-interaction (e5)'), named('something else')]).toEqual([
    'the precise reranker',
    'late interaction',
    'something else',
  ]);
});

it('speed is of pairs or of texts', () => {
  const test = (role: string) => speed({ role, per_second: 4.07, tokens: 245 } as DeviceTest, en, f);
  expect([test('reranker'), test('embedder')]).toEqual([
    '4.1 pairs/s of 245 tokens',
    '4.1 texts/s of 245 tokens',
  ]);
});

describe('how a work ended', () => {
  const good = model({ name: 'm', state: 'installed' });
  const bad = model({ name: 'n', state: 'damaged' });
  it.each([
    [{ kind: 'get', name: 'm', how: 'done' }, 'm is installed and verified.', false],
    [{ kind: 'get', name: 'm', how: 'stopped' }, 'Stopped. What has arrived stays.', false],
    [{ kind: 'get', name: 'm', how: 'failed' }, 'It did not work', true],
    [{ kind: 'remove', name: 'm', how: 'done' }, 'm is removed.', false],
    [{ kind: 'verify', name: 'm', how: 'done', checked: [good] }, 'm is whole.', false],
    [{ kind: 'verify', name: 'n', how: 'done', checked: [bad] }, 'n is not as it should be.', true],
    [{ kind: 'verify', name: '', how: 'done', checked: [good, good] }, '2 are whole.', false],
    [{ kind: 'verify', name: '', how: 'done', checked: [good, bad] }, '1 is not as it should be.', true],
    [{ kind: 'import', name: '', how: 'done', imported: [{ name: 'm' }] }, '1 imported.', false],
    [
      { kind: 'import', name: '', how: 'done', imported: [{ name: 'm', reason: 'no' }] },
      'Nothing was imported.',
      true,
    ],
    [{ kind: 'pack', name: '', how: 'done', packed: { bytes: 2e6 } }, 'The bundle is written: 2 MB.', false],
  ])('%o', (ending, text, isBad) => {
    expect(said(ending as Parameters<typeof said>[0], en, f)).toEqual({ text, bad: isBad });
  });
});

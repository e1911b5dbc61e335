import { describe, expect, it } from 'vitest';
import type { RerankTrace, SearchResponse } from './api';
import { formatter } from './format';
import { en } from './i18n/en';
import {
  account,
  agreement,
  fallback,
  marks,
  otherFiles,
  passedOver,
  rerankedRank,
  standing,
  verdictLine,
} from './ranking';

const f = formatter('en');
const quiet: RerankTrace = {
  requested: 'auto',
  backend: 'cross-encoder',
  model: 'm',
  device: 'CPU',
  precision: 'int8',
  reason: '',
  steps: [],
  candidates_in: 0,
  candidates_out: 0,
  stage1_n: 0,
  stage2_n: 0,
  early_exit: false,
  breaker: '',
  hedged: false,
  elapsed_ms: 0,
  mmr_applied: false,
};

describe('where a hit stands', () => {
  it.each([
    ['rank', undefined, true, 'waiting'],
    ['rank', null, false, 'not reranked'],
    ['relevance', 3, true, 'up'],
    ['relevance', -2, false, 'down'],
    ['relevance', 0, false, 'stayed'],
  ])('%s %s partial %s', (score_kind, delta, partial, want) =>
    expect(standing({ score_kind, rerank_delta: delta ?? undefined }, partial)).toBe(want),
  );
});

describe('the rank that reranking gave', () => {
  it.each([
    [7, 5, 2],
    [3, -4, 7],
    [3, null, undefined],
    [undefined, 2, undefined],
  ])('fused %s moved %s', (fused, delta, want) =>
    expect(rerankedRank({ ranks: { fused }, rerank_delta: delta ?? undefined })).toBe(want),
  );
});

describe('the account of an order', () => {
  it('says nothing of what did not happen', () => {
    expect(account(quiet, en, f)).toEqual([]);
    expect(marks(quiet, en, f)).toEqual([]);
  });

  it.each<[string, Partial<RerankTrace>, RegExp]>([
    ['how many were scored', { candidates_in: 40, candidates_out: 12 }, /12 of 40/],
    ['who won the race', { hedged: true, backend: 'cohere' }, /Cohere answered first/],
    ['the sizes of a cascade', { stage1_n: 40, stage2_n: 8 }, /40.*8/],
    ['an early exit', { stage1_n: 40, early_exit: true }, /clear/],
    ['variety and its lambda', { mmr_applied: true, mmr_lambda: 0.7 }, /0\.70/],
    ['the time', { elapsed_ms: 37.6 }, /38 ms/],
  ])('%s', (_, change, want) => {
    const said = account({ ...quiet, ...change }, en, f);
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(want);
  });

  it('marks what is unusual', () => {
    const calibration = { remote: 'r', local: 'l', pairs: 300, searches: 30, applied: true, reason: 'why' };
    const all = {
      ...quiet,
      fell_back_from: 'cohere',
      reason: 'r',
      hedged: true,
      early_exit: true,
      calibration,
    };
    expect(marks({ ...all, mmr_applied: true, mmr_lambda: 0.7 }, en, f)).toHaveLength(5);
    expect(marks({ ...quiet, calibration: { ...calibration, applied: false } }, en, f)).toEqual([]);
  });

  it.each([
    [undefined, [], ''],
    ['cohere', [], 'instead of Cohere'],
    ['cohere', ['deadline'], 'instead of Cohere: too late'],
  ])('says in whose place the ranker served: %s %s', (fell_back_from, codes, want) => {
    const steps = codes.map((code) => ({ backend: 'cohere', code, reason: 'r', failed: true }));
    expect(fallback({ ...quiet, fell_back_from, steps }, en)).toBe(want);
  });

  it('gives every step, and the reason only where none gives it', () => {
    const step = (reason: string) => ({ backend: 'cohere', code: 'deadline', reason, failed: true });
    expect(passedOver({ ...quiet, steps: [step('One.'), step('Two.')], reason: 'One. Two.' }).reason).toBe(
      '',
    );
    expect(passedOver({ ...quiet, steps: [step('One.')], reason: 'Off.' })).toEqual({
      steps: [step('One.')],
      reason: 'Off.',
    });
  });
});

describe('agreement', () => {
  it.each([
    [{ pairs: 1 }, ['1 pair']],
    [
      { pairs: 240, kendall_tau: 0.514, top5_overlap: 0.8 },
      ['240 pairs', 'Kendall’s tau 0.51', '80% of the best five'],
    ],
    [{ pairs: 240, kendall_tau: null, top5_overlap: 0 }, ['240 pairs', '0% of the best five']],
  ])('%o', (c, want) => expect(agreement(c, en, f).map((s) => s.replace(/ in common$/, ''))).toEqual(want));
});

describe('the verdict', () => {
  const answer = (change: object) =>
    ({
      partial: false,
      hits: [{}, {}],
      rerank: quiet,
      verdict: { clear: true },
      ...change,
    }) as SearchResponse;
  it.each<[string, SearchResponse, RegExp]>([
    ['clear', answer({}), /^2 results$/],
    [
      'so far',
      answer({ partial: true, rerank: { ...quiet, candidates_in: 40, candidates_out: 7 } }),
      /7 of 40/,
    ],
    ['fused', answer({ partial: true }), /not reranked yet/i],
    [
      'unclear',
      answer({ verdict: { clear: false, best: 0.21, threshold: 0.4 } }),
      /^Nothing clearly.*0\.21.*0\.40/,
    ],
    [
      'calibrated',
      answer({
        verdict: { clear: false, best: 0.21, threshold: 0.4 },
        rerank: { ...quiet, calibration: { applied: true, pairs: 240 } },
      }),
      /0\.40 would be clear\. Calibrated on 240 pairs\.$/,
    ],
    ['unmeasured', answer({ verdict: { clear: false } }), /^Nothing clearly matches[^0-9]*$/],
  ])('%s', (_, response, want) => expect(verdictLine(response, en, f)).toMatch(want));
});

describe('other files', () => {
  it('are listed once, by their best passage', () => {
    const list = [
      { document_id: 2, chunk_id: 20 },
      { document_id: 3, chunk_id: 30 },
      { document_id: 2, chunk_id: 21 },
    ];
    expect(otherFiles(list).map((d) => d.chunk_id)).toEqual([20, 30]);
  });
});

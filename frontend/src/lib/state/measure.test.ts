import { describe, expect, it, vi } from 'vitest';
import type { Kept, Suggestion } from '../api';
import { Measure } from './measure.svelte';

const answer = { collection: 'c', query: 'q', hits: [{ chunk_id: 7 }] } as never;
const kept = (id: string) => ({ id, report: { stages: [], skipped: [] } }) as unknown as Kept;

function made(api: Record<string, unknown> = {}) {
  const changed = vi.fn();
  const measure = new Measure(
    {
      judge: vi.fn(async () => {}),
      grades: vi.fn(async () => ({ 7: 1 })),
      judged: vi.fn(async () => ({ collection: 'c', queries: [] })),
      measurements: vi.fn(async () => [kept('b'), kept('a')]),
      compareMeasurements: vi.fn(async () => []),
      ...api,
    } as never,
    changed,
  );
  return { measure, changed };
}

describe('judging', () => {
  it('reads what was judged while judging, and only then', async () => {
    const grades = vi.fn(async () => ({ 7: 1 }));
    const { measure } = made({ grades });
    await measure.look(answer);
    expect(grades).not.toHaveBeenCalled();
    measure.judging = true;
    await measure.look(answer);
    expect(measure.grades).toEqual({ 7: 1 });
  });

  it('keeps what was judged while older grades were being read', async () => {
    let read = (_: Record<number, number>) => {};
    const grades = vi.fn(() => new Promise((resolve) => (read = resolve)));
    const { measure } = made({ grades });
    measure.judging = true;
    const looking = measure.look(answer);
    await measure.judge(answer, 7, 2);
    read({ 7: 0, 8: 1 });
    await looking;
    expect(measure.grades).toEqual({ 7: 2, 8: 1 });
  });

  it('keeps a grade, and withdraws it when it is given again', async () => {
    const judge = vi.fn(async () => {});
    const { measure } = made({ judge });
    await measure.judge(answer, 7, 2);
    expect(measure.grades).toEqual({ 7: 2 });
    await measure.judge(answer, 7, 2);
    expect(measure.grades).toEqual({});
    expect(judge.mock.calls).toEqual([
      ['c', 'q', 7, 2],
      ['c', 'q', 7, undefined],
    ]);
  });

  it('shows the grade that was kept when another one could not be', async () => {
    const judge = vi.fn(async () => Promise.reject(new Error('disk full')));
    const { measure } = made({ judge });
    measure.grades = { 7: 0 };
    await measure.judge(answer, 7, 2);
    expect(measure.grades).toEqual({ 7: 0 });
    expect(measure.failure).toBeDefined();
  });
});

describe('measuring', () => {
  it('measures what rerankers get beside what they make of it', async () => {
    const run = vi.fn(async (_: { stages: string[] }) => kept('b'));
    const { measure, changed } = made({ measure: run });
    await measure.load('c');
    measure.chosen = ['hybrid', 'rerank'];
    await measure.start();
    expect(run.mock.calls[0]![0].stages).toEqual(['hybrid', 'rerank', 'hybrid@depth']);
    expect(measure.run?.id).toBe('b');
    expect(measure.work).toBeUndefined();
    expect(changed).toHaveBeenCalled();
  });

  it('does not compare a measurement with itself', async () => {
    const { measure } = made();
    await measure.load('c');
    await measure.against('a');
    expect(measure.changes).toEqual([]);
    await measure.show('a');
    expect(measure.before).toBeUndefined();
  });

  it('forgets another collection’s suggestion', async () => {
    const { measure } = made({ suggestTuning: async () => ({ collection: 'c' }) as Suggestion });
    await measure.load('c');
    await measure.suggest();
    expect(measure.suggestion).toBeDefined();
    await measure.load('d');
    expect(measure.suggestion).toBeUndefined();
  });
});

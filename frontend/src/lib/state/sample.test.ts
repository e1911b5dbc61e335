import { describe, expect, it } from 'vitest';
import type { CollectionSummary } from '../api';
import { Sample } from './sample.svelte';

describe('the sample', () => {
  const folder = '/data/sample';
  const there = () => Promise.resolve({ folder, queries: ['یک', 'two', 'ثلاثة', 'چهار'] });
  const collection = (...roots: string[]) => ({ roots }) as CollectionSummary;

  it('is the collection with its folder, once that is known', async () => {
    const sample = new Sample({ sample: there, writeSample: there });
    expect(sample.queries(collection(folder))).toEqual([]);
    await sample.load();
    expect(sample.queries(collection('/papers', folder))).toEqual(['یک', 'two', 'ثلاثة']);
    expect(sample.queries(collection('/papers'))).toEqual([]);
    expect(sample.in(undefined)).toBe(false);
  });

  it('is known once it is written', async () => {
    const sample = new Sample({ sample: () => Promise.reject(new Error('asked')), writeSample: there });
    expect(await sample.write()).toBe(folder);
    await sample.load();
    expect(sample.in(collection(folder))).toBe(true);
  });
});

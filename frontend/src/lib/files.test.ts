import { describe, expect, it } from 'vitest';
import type { DocumentEntry } from './api';
import { counted, facts, patterns, unread } from './files';
import { formatter } from './format';
import { en } from './i18n/en';

describe('the states of a collection', () => {
  const c = { states: { failed: 2, indexed: 7, 'no text': 1, container: 1, unheard: 3, quarantined: 0 } };

  it('are in their order, those in which nothing is left out, and what nobody knows last', () =>
    expect(counted(c)).toEqual([
      ['indexed', 7],
      ['container', 1],
      ['no text', 1],
      ['failed', 2],
      ['unheard', 3],
    ]));

  it('say how many cannot be found', () => {
    expect(unread(c)).toBe(6);
    expect(unread({ states: {} })).toBe(0);
  });
});

describe('the figures of a file', () => {
  const f = formatter('en');
  const file = (d: Partial<DocumentEntry>) => facts({ size: 2000, chunks: 0, ...d } as DocumentEntry, en, f);
  it.each<[string, Partial<DocumentEntry>, string[]]>([
    ['without text', {}, ['2 kB']],
    ['with passages', { chunks: 1 }, ['2 kB', '1 passage']],
    [
      'recognised',
      { chunks: 3, ocr: 'done', sure: 0.874 },
      ['2 kB', '3 passages', 'text recognised, 87% sure'],
    ],
    ['recognised, nobody knows how surely', { ocr: 'done' }, ['2 kB', 'its pictures were read']],
    ['waiting', { ocr: 'wanted' }, ['2 kB', 'its pictures wait to be read']],
    ['in a state that nobody knows', { ocr: 'toString' }, ['2 kB']],
  ])('%s', (_, d, want) => expect(file(d)).toEqual(want));
});

it('patterns are the lines that say something', () =>
  expect(patterns('*.pdf\r\n\n  drafts/ \n')).toEqual(['*.pdf', 'drafts/']));

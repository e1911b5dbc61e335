import { describe, expect, it } from 'vitest';
import { en } from './en';
import { fa } from './fa';

type Entry = [path: string, value: unknown];

function entries(value: unknown, path = ''): Entry[] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, v]) => entries(v, path ? `${path}.${key}` : key));
}

/** What a string says when its placeholders are filled. */
function said(value: unknown): string {
  if (typeof value !== 'function') return String(value);
  return String((value as (...args: unknown[]) => unknown)('⟨0⟩', '⟨1⟩', '⟨2⟩'));
}

const persian = new Map(entries(fa));

describe('the dictionaries', () => {
  it('have the same keys', () => {
    expect([...persian.keys()].sort()).toEqual(
      entries(en)
        .map(([path]) => path)
        .sort(),
    );
  });

  // Names, examples and what is shown in the other language on purpose.
  const sameOnPurpose = new Set([
    'reranks.cohere',
    'backends.cohere',
    'components.runtime',
    'components.cohere',
    'drill.columns.mrr',
    'models.tiers.cpu',
    'models.tiers.cuda',
    'models.tiers.directml',
    'models.tiers.coreml',
    'settings.choices.cpu',
    'settings.choices.cuda',
    'settings.choices.directml',
    'settings.choices.coreml',
  ]);
  const latinOnPurpose = new Set([
    ...sameOnPurpose,
    'switchLanguage',
    'switchLanguageLabel',
    'scoreLabel',
    'inOut',
    'announce',
    'models.of',
    'keep.quoteOpen',
    'keep.quoteClose',
    'keep.comma',
    'keep.row',
    'of',
  ]);

  it.each(entries(en).filter(([path]) => !sameOnPurpose.has(path)))('%s is translated', (path, value) => {
    const text = said(persian.get(path));
    expect(text).not.toBe('');
    // The last placeholder is the written number; the first may be the bare one, for plurals only.
    const last = said(value).match(/⟨\d⟩/g)?.at(-1);
    if (last) expect(text, `misses ${last}`).toContain(last);
    if (latinOnPurpose.has(path)) return;
    expect(text).toMatch(/\p{Script=Arabic}/u);
    expect(text, 'Arabic yeh or kaf').not.toMatch(/[يك]/);
  });
});

import { describe, expect, it } from 'vitest';
import type { SettingState } from './api';
import { grouped, latinDigits, localDigits, matches, seconds, time } from './settings';

const setting = (name: string) => ({ name }) as SettingState;

describe('settings', () => {
  it('stand in their groups, and a new one in the last', () => {
    const all = ['history', 'new_one', 'offline', 'cohere_url', 'top'].map(setting);
    expect(grouped(all).map((g) => [g.group, ...g.settings.map((s) => s.name)])).toEqual([
      ['network', 'offline', 'cohere_url'],
      ['search', 'top'],
      ['kept', 'history'],
      ['other', 'new_one'],
    ]);
  });

  it.each([
    ['', true],
    ['cand', true],
    ['CAND rerank', true],
    ['۴۰', true],
    ['cand ledger', false],
  ])('are found by %s: %s', (filter, want) =>
    expect(matches(filter, ['Candidates', 'Passages that are reranked: 40'])).toBe(want),
  );

  it.each([
    ['4096', 'fa-IR', '۴۰۹۶'],
    ['0.35', 'fa-IR', '۰٫۳۵'],
    ['0.35', 'fa-IR-u-nu-latn', '0.35'],
    ['0.35', 'en', '0.35'],
  ])('%s is written in %s as %s, and read back', (text, locale, want) => {
    expect(localDigits(text, locale)).toBe(want);
    expect(latinDigits(want)).toBe(text);
  });

  it.each([
    ['2s', '2'],
    ['700ms', '0.7'],
    ['1m30s', '90'],
    ['1h', '3600'],
    ['0s', '0'],
    ['soon', 'soon'],
  ])('the time %s is %s seconds', (text, want) => expect(seconds(text)).toBe(want));

  it.each([
    ['2', '2s'],
    ['۲٫۵', '2.5s'],
    [' 700ms ', '700ms'],
    ['soon', 'soon'],
  ])('the time %s is told as %s', (typed, want) => expect(time(typed)).toBe(want));
});

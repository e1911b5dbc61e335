import { describe, expect, it } from 'vitest';
import type { QueryFilter } from './api';
import { formatter } from './format';
import { en } from './i18n/en';
import { fa } from './i18n/fa';
import { filterText } from './query';

const filter = (f: Partial<QueryFilter>) =>
  ({ kind: '', value: '', not: false, or: false, range: [0, 1], ...f }) as QueryFilter;
const bare = (text: string) => text.replace(/[\u2068\u2069]/g, '');
const english = (f: Partial<QueryFilter>) => bare(filterText(filter(f), en, formatter('en'), 'en'));
const persian = (f: Partial<QueryFilter>) => bare(filterText(filter(f), fa, formatter('fa-IR'), 'fa'));

describe('what a filter asks for', () => {
  it('is said in the language of the window', () => {
    const lang = { kind: 'lang', value: 'fas', languages: ['fa'] };
    expect(english(lang)).toBe('language: Persian');
    expect(persian(lang)).toBe('زبان: فارسی');
    expect(english({ kind: 'after', value: '۱۴۰۲/۵/۱', date: '2023-07-23' })).toBe('from Jul 23, 2023 on');
    expect(persian({ kind: 'after', value: '2023-07-23', date: '2023-07-23' })).toContain('۱۴۰۲');
  });

  it('says what it leaves out', () => {
    expect(english({ kind: 'type', value: 'pdf', not: true })).toBe('not type: pdf');
    expect(english({ kind: 'word', value: 'draft', not: true })).toBe('without draft');
    expect(persian({ kind: 'phrase', value: 'پیش نویس', not: true })).toBe('جز عبارت «پیش نویس»');
  });

  it('keeps what is written in its own direction', () => {
    expect(filterText(filter({ kind: 'file', value: 'گزارش' }), en, formatter('en'), 'en')).toContain(
      '\u2068گزارش\u2069',
    );
  });

  it('is its value where the kind is not known', () => {
    expect(english({ kind: 'other', value: 'x' })).toBe('x');
  });
});

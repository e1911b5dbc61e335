import { describe, expect, it } from 'vitest';
import { excerpt, segments, toRanges } from './highlight';

/** Byte range of the nth occurrence of a word, as the backend would send it. */
function bytesOf(text: string, word: string, from = 0): [number, number] {
  const size = (s: string) => new TextEncoder().encode(s).length;
  const at = text.indexOf(word, from);
  if (at < 0) throw new Error(`no ${word}`);
  return [size(text.slice(0, at)), size(text.slice(0, at + word.length))];
}

const marked = (text: string, bytes: [number, number][]) =>
  segments(text, toRanges(text, bytes))
    .filter((s) => s.mark)
    .map((s) => s.text);

describe('highlights', () => {
  const cases: [name: string, text: string, words: string[]][] = [
    ['ASCII', 'the lantern is lit', ['lantern']],
    ['first and last word', 'lantern by the lantern', ['lantern']],
    ['two-byte letters', 'café Straße', ['Straße']],
    ['Persian', 'قرارداد اجارهٔ خانه در سال ۱۴۰۲', ['اجارهٔ', '۱۴۰۲']],
    ['Arabic with marks', 'قال مُحَمَّد شيئا', ['مُحَمَّد']],
    ['joiners', 'من می‌خواهم بروم', ['می‌خواهم']],
    ['after an emoji', '🏮 فانوس and 👩‍👩‍👧 family', ['فانوس', 'family']],
    ['an emoji itself', 'light 🏮 here', ['🏮']],
    ['three-byte ideographs', '東京都の灯籠', ['灯籠']],
    ['markup is text', '<script>alert(1)</script> lantern', ['<script>', 'lantern']],
  ];
  it.each(cases)('%s', (_, text, words) => {
    const bytes = words.map((w) => bytesOf(text, w));
    expect(marked(text, bytes)).toEqual(words);
  });

  it.each(cases)('segments join to the text: %s', (_, text, words) => {
    const parts = segments(
      text,
      toRanges(
        text,
        words.map((w) => bytesOf(text, w)),
      ),
    );
    expect(parts.map((p) => p.text).join('')).toBe(text);
  });

  it('takes a whole character in when an offset falls inside it', () => {
    expect(marked('a🏮b', [[2, 4]])).toEqual(['🏮']);
    expect(marked('aفb', [[1, 2]])).toEqual(['ف']);
  });

  it('survives ranges outside the text, empty, touching and overlapping ones', () => {
    expect(marked('abc', [[1, 99]])).toEqual(['bc']);
    expect(marked('abc', [[7, 9]])).toEqual([]);
    expect(marked('abc', [[1, 1]])).toEqual([]);
    expect(marked('abcdef', [[0, 2], [2, 3], [1, 4]])).toEqual(['abcd']); // prettier-ignore
  });
});

describe('excerpt', () => {
  const word = 'واژه ';
  it('shows a short text whole', () => {
    expect(excerpt('short', [], 100)).toEqual({ start: 0, end: 5 });
  });

  it('moves to where the highlights are and cuts at words', () => {
    const text = word.repeat(200) + 'فانوس ' + word.repeat(200);
    const marks = toRanges(text, [bytesOf(text, 'فانوس')]);
    const { start, end } = excerpt(text, marks, 120);
    const shown = text.slice(start, end);
    expect(shown).toContain('فانوس');
    expect(shown.length).toBeLessThanOrEqual(120);
    expect(shown.split(' ').every((w) => ['واژه', 'فانوس', ''].includes(w))).toBe(true);
  });

  it('prefers the place with the most highlights', () => {
    const text = 'x ' + 'lamp ' + 'y '.repeat(300) + 'lamp lamp lamp ' + 'z '.repeat(300);
    const marks = [...text.matchAll(/lamp/g)].map((m) => ({ start: m.index, end: m.index + 4 }));
    const { start, end } = excerpt(text, marks, 100);
    expect(text.slice(start, end).match(/lamp/g)).toHaveLength(3);
  });

  it('never cuts a surrogate pair, even in a text without spaces', () => {
    const text = '🏮'.repeat(400);
    const { start, end } = excerpt(text, [{ start: 401, end: 403 }], 101);
    expect(text.slice(start, end)).not.toMatch(/\p{Surrogate}/u);
  });
});

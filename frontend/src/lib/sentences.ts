import { isolated } from './text/isolate';
import { sentences as persian } from './i18n/sentences.fa';
import type { Dictionary, Language } from './i18n/index.svelte';

/** A sentence of the program as it is made, with {} for each part that varies, and as it is said in another language. */
export type Template = [made: string, said: (...parts: string[]) => string];

type Pattern = { begin: RegExp; said: Template[1] };

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const pattern = ([made, said]: Template): Pattern => ({
  // What varies at the end of a sentence reaches to the end of the text: there is nothing to tell where it would end.
  begin: new RegExp(
    '^' +
      made
        .split('{}')
        .map(escaped)
        .join('(.+?)')
        .replace(/\(\.\+\?\)$/, '(.+)') +
      '(?=$|\\s|[;,]|\\.(?:\\s|$))',
    's',
  ),
  said,
});

const patterns: Partial<Record<Language, Pattern[]>> = { fa: persian.map(pattern) };

/**
 * A part that varies: a number or a length of time (2s, 1m30s) in the language's digits; anything else, which may be in
 * another direction, is kept in one piece, such as a name or a path.
 */
function varying(language: Language, text: string): string {
  if (language === 'fa' && /^\d+$/.test(text)) return digits.format(Number(text));
  if (language === 'fa' && /^(?:\d+(?:\.\d+)?(?:h|ms|m|s))+$/.test(text))
    return [...text.matchAll(/([\d.]+)(h|ms|m|s)/g)]
      .map(([, n, unit]) => `${digits.format(Number(n))} ${units[unit as keyof typeof units]}`)
      .join(' و ');
  return isolated(text);
}

const digits = new Intl.NumberFormat('fa-IR', { useGrouping: false });
const units = { h: 'ساعت', m: 'دقیقه', s: 'ثانیه', ms: 'میلی‌ثانیه' };

/**
 * What the program says, in a language of the window: one sentence or several. undefined where not all of it is known in
 * that language; it is then to be shown as it is, in English.
 */
export function sentence(language: Language, text: string): string | undefined {
  if (language === 'en') return undefined;
  const all = patterns[language] ?? [];
  const rest = text.trim();
  if (rest === '') return '';
  for (const { begin, said } of all) {
    const match = begin.exec(rest);
    if (!match) continue;
    const [, stop = '', left = ''] = /^(\.?)(.*)$/s.exec(rest.slice(match[0].length))!;
    const after = sentence(language, left.replace(/^[;,]\s/, ''));
    if (after === undefined) continue;
    const parts = match.slice(1).map((part) => sentence(language, part) ?? varying(language, part));
    return [said(...parts) + stop, after].filter(Boolean).join(' ');
  }
  return undefined;
}

/** What is wrong and what to do about it, by its code; undefined where the program's own words are better. */
export function byCode(
  language: Language,
  words: Dictionary['problems'],
  { code, message }: { code: string; message: string },
): { what: string; todo: string } | undefined {
  const known: Record<string, string[]> = words;
  if (!Object.hasOwn(known, code)) return undefined;
  if (sentence(language, message) !== undefined) return undefined;
  if (language === 'en' && code !== 'internal') return undefined; // it says the same, and more
  const [what = '', todo = ''] = known[code]!;
  return { what, todo };
}

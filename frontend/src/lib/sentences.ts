import type { I18n } from './i18n/index.svelte';

/** A sentence of the program as it is made, with {} for each part that varies, and as it is said in another language. */
export type Template = [made: string, said: (...parts: string[]) => string];

/**
 * What the program says, in another language: one sentence or several. undefined where not all of it is known in that
 * language; it is then to be shown as it is, in English.
 */
export type Sentence = (text: string) => string | undefined;

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

/** Says with templates what the program says; `varying` says what varies and is no sentence itself. */
export function translator(templates: Template[], varying: (text: string) => string): Sentence {
  let patterns: Pattern[] | undefined; // made for the first sentence: none is said while the window opens
  return function sentence(text: string): string | undefined {
    patterns ??= templates.map(pattern);
    const rest = text.trim();
    if (rest === '') return '';
    for (const { begin, said } of patterns) {
      const match = begin.exec(rest);
      if (!match) continue;
      const [, stop = '', left = ''] = /^(\.?)(.*)$/s.exec(rest.slice(match[0].length))!;
      const after = sentence(left.replace(/^[;,]\s/, ''));
      if (after === undefined) continue;
      const parts = match.slice(1).map((part) => sentence(part) ?? varying(part));
      return [said(...parts) + stop, after].filter(Boolean).join(' ');
    }
    return undefined;
  };
}

/** An error as the program has it. */
export type Fault = { code: string; message: string; hint?: string };

/** What is wrong, what to do about it, and the program's own words below where these were others. */
export type Explained = { what: string; todo: string; detail: string; own: boolean };

/**
 * Explains an error in the window's words for its code, `ofPlace` before the general ones, or in the program's own where
 * these are better: they are known in the window's language, or English is it.
 */
export function explain(
  { language, t, sentence }: Pick<I18n, 'language' | 't' | 'sentence'>,
  { code, message, hint = '' }: Fault,
  ofPlace: Record<string, string[]> = {},
): Explained {
  const general: Record<string, string[]> =
    (language === 'en' && code !== 'internal') || sentence(message) !== undefined ? {} : t.problems;
  const known = [ofPlace, general].find((words) => Object.hasOwn(words, code))?.[code];
  if (!known) return { what: message, todo: hint, detail: '', own: true };
  const [what = message, todo = ''] = known;
  return { what, todo, detail: message, own: false };
}

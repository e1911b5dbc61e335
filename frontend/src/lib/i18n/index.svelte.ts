import { formatter, type Format } from '../format';
import { en, type Dictionary } from './en';
import { fa } from './fa';

export type { Dictionary } from './en';
export type Language = 'en' | 'fa';

/** The language's own digits, or Latin ones in every language. */
export type Digits = 'local' | 'latin';

type Parts = { dir: 'ltr' | 'rtl'; strings: Dictionary; locales: Record<Digits, string> };

const languages: Record<Language, Parts> = {
  en: { dir: 'ltr', strings: en, locales: { local: 'en', latin: 'en' } },
  fa: { dir: 'rtl', strings: fa, locales: { local: 'fa-IR', latin: 'fa-IR-u-nu-latn' } },
};

/** The window's language: its strings, its numbers and its direction. */
export class I18n {
  language = $state<Language>('en');
  digits = $state<Digits>('local');
  private readonly format = $derived(formatter(this.locale));

  constructor(language: Language, digits: Digits = 'local') {
    this.language = language;
    this.digits = digits;
  }

  get t(): Dictionary {
    return languages[this.language].strings;
  }
  get f(): Format {
    return this.format;
  }
  get locale(): string {
    return languages[this.language].locales[this.digits];
  }
  get dir(): 'ltr' | 'rtl' {
    return languages[this.language].dir;
  }
}

/** A dictionary's word for a name that comes from the backend; the name itself where there is none. */
export function word(words: Record<string, string>, name: string): string {
  return Object.hasOwn(words, name) ? words[name]! : name;
}

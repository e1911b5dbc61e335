import { formatter, type Format } from '../format';
import { en, type Dictionary } from './en';
import { fa } from './fa';

export type { Dictionary } from './en';
export type Language = 'en' | 'fa';

const languages: Record<Language, { dir: 'ltr' | 'rtl'; strings: Dictionary; format: Format }> = {
  en: { dir: 'ltr', strings: en, format: formatter('en') },
  fa: { dir: 'rtl', strings: fa, format: formatter('fa-IR') },
};

/** The window's language: its strings, its numbers and its direction. */
export class I18n {
  language = $state<Language>('en');

  constructor(language: Language) {
    this.language = language;
  }

  get t(): Dictionary {
    return languages[this.language].strings;
  }
  get f(): Format {
    return languages[this.language].format;
  }
  get dir(): 'ltr' | 'rtl' {
    return languages[this.language].dir;
  }
}

/** A dictionary's word for a name that comes from the backend; the name itself where there is none. */
export function word(words: Record<string, string>, name: string): string {
  return Object.hasOwn(words, name) ? words[name]! : name;
}

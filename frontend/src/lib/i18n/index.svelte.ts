import { formatter, type Format } from '../format';
import type { Sentence } from '../sentences';
import type { Dictionary } from './en';

export type { Dictionary } from './en';
export type Language = 'en' | 'fa';

/** The language's own digits, or Latin ones in every language. */
export type Digits = 'local' | 'latin';

type Spoken = {
  language: Language;
  dir: 'ltr' | 'rtl';
  locales: Record<Digits, string>;
  t: Dictionary;
  sentence: Sentence;
};

/** What is said in a language is loaded where that is spoken. */
const languages: Record<Language, () => Promise<Spoken>> = {
  en: async () => {
    const { en } = await import('./en');
    return {
      language: 'en',
      dir: 'ltr',
      locales: { local: 'en', latin: 'en' },
      t: en,
      sentence: () => undefined, // it is what the program speaks
    };
  },
  fa: async () => {
    const { fa, sentence } = await import('./fa');
    return {
      language: 'fa',
      dir: 'rtl',
      locales: { local: 'fa-IR', latin: 'fa-IR-u-nu-latn' },
      t: fa,
      sentence,
    };
  },
};

/** The window's language: its strings, its numbers and its direction. */
export class I18n {
  digits = $state<Digits>('local');
  private spoken: Spoken;
  private asked: Language;
  private readonly format = $derived(formatter(this.locale));

  private constructor(spoken: Spoken, digits: Digits) {
    this.spoken = $state.raw(spoken);
    this.asked = spoken.language;
    this.digits = digits;
  }

  static async speaking(language: Language, digits: Digits): Promise<I18n> {
    return new I18n(await languages[language](), digits);
  }

  /** Goes over to a language as soon as it is loaded, if none was asked for since. */
  async speak(language: Language): Promise<void> {
    this.asked = language;
    const spoken = await languages[language]();
    if (this.asked === language) this.spoken = spoken;
  }

  get language(): Language {
    return this.spoken.language;
  }
  get dir(): 'ltr' | 'rtl' {
    return this.spoken.dir;
  }
  get locale(): string {
    return this.spoken.locales[this.digits];
  }
  get t(): Dictionary {
    return this.spoken.t;
  }
  get f(): Format {
    return this.format;
  }
  /** What the program says, in the window's language where it is known in that. */
  get sentence(): Sentence {
    return this.spoken.sentence;
  }
}

/** A dictionary's word for a name that comes from the backend; the name itself where there is none. */
export function word(words: Record<string, string>, name: string): string {
  return Object.hasOwn(words, name) ? words[name]! : name;
}

import type { Method, Rerank } from '../api';
import type { Digits, Language } from '../i18n/index.svelte';

export type Theme = 'system' | 'light' | 'dark';
/** As the system wants it, or as little as can be. */
export type Motion = 'system' | 'less';

/** How a quotation is copied. */
export type Quotes = 'text' | 'markdown';

/** How large everything may be, of the usual size. */
export const textSizes = [1, 1.1, 1.25, 1.5, 1.75, 2] as const;
/** How many results may be shown. */
export const resultCounts = [5, 10, 20, 50, 100] as const;

/** What the window remembers between starts. */
type Saved = {
  language: Language;
  theme: Theme;
  collection: string;
  method: Method;
  rerank: Rerank;
  variety: boolean;
  textSize: number;
  motion: Motion;
  moves: boolean;
  digits: Digits;
  results: number;
  quotes: Quotes;
};

const key = 'fanous';

/** The collection of who has named none. */
export const firstCollection = 'default';

/** What was saved, if it is still one of the choices. */
function oneOf<T extends string | number>(choices: readonly T[], saved: unknown, otherwise: T): T {
  return choices.find((c) => c === saved) ?? otherwise;
}

export class Settings implements Saved {
  language = $state<Language>('en');
  theme = $state<Theme>('system');
  collection = $state(firstCollection);
  method = $state<Method>('hybrid');
  rerank = $state<Rerank>('auto');
  /** Passages that differ first: MMR. */
  variety = $state(false);
  textSize = $state(1);
  motion = $state<Motion>('system');
  /** Results move to their new places. */
  moves = $state(true);
  digits = $state<Digits>('local');
  /** How many results are shown. */
  results = $state(20);
  quotes = $state<Quotes>('text');

  constructor(
    private readonly storage: Pick<Storage, 'getItem' | 'setItem'>,
    systemLanguage: string,
  ) {
    const saved = this.load();
    const fallback = systemLanguage.startsWith('fa') ? 'fa' : 'en';
    this.language = oneOf<Language>(['en', 'fa'], saved.language, fallback);
    this.theme = oneOf<Theme>(['system', 'light', 'dark'], saved.theme, 'system');
    this.method = oneOf<Method>(['hybrid', 'bm25', 'semantic'], saved.method, 'hybrid');
    this.rerank = oneOf<Rerank>(['auto', 'cohere', 'local', 'off'], saved.rerank, 'auto');
    this.variety = saved.variety === true;
    this.textSize = oneOf<number>(textSizes, saved.textSize, 1);
    this.motion = oneOf<Motion>(['system', 'less'], saved.motion, 'system');
    this.moves = saved.moves !== false;
    this.digits = oneOf<Digits>(['local', 'latin'], saved.digits, 'local');
    this.results = oneOf<number>(resultCounts, saved.results, 20);
    this.quotes = oneOf<Quotes>(['text', 'markdown'], saved.quotes, 'text');
    if (typeof saved.collection === 'string') this.collection = saved.collection;
  }

  /** Writes what is set now; a full or forbidden storage only means that it is forgotten. */
  save(): void {
    const { language, theme, collection, method, rerank, variety } = this;
    const { textSize, motion, moves, digits, results, quotes } = this;
    const saved: Saved = {
      ...{ language, theme, collection, method, rerank, variety },
      ...{ textSize, motion, moves, digits, results, quotes },
    };
    try {
      this.storage.setItem(key, JSON.stringify(saved));
    } catch {
      // nothing is lost but the convenience
    }
  }

  private load(): Partial<Record<keyof Saved, unknown>> {
    try {
      const value: unknown = JSON.parse(this.storage.getItem(key) ?? '{}');
      return typeof value === 'object' && value !== null ? value : {};
    } catch {
      return {};
    }
  }
}

import type { Method, Rerank } from '../api';
import type { Language } from '../i18n/index.svelte';

export type Theme = 'system' | 'light' | 'dark';

/** What the window remembers between starts. */
type Saved = {
  language: Language;
  theme: Theme;
  collection: string;
  method: Method;
  rerank: Rerank;
  variety: boolean;
};

const key = 'fanous';

/** What was saved, if it is still one of the choices. */
function oneOf<T extends string>(choices: readonly T[], saved: unknown, otherwise: T): T {
  return choices.find((c) => c === saved) ?? otherwise;
}

export class Settings implements Saved {
  language = $state<Language>('en');
  theme = $state<Theme>('system');
  collection = $state('default');
  method = $state<Method>('hybrid');
  rerank = $state<Rerank>('auto');
  /** Passages that differ first: MMR. */
  variety = $state(false);

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
    if (typeof saved.collection === 'string') this.collection = saved.collection;
  }

  /** Writes what is set now; a full or forbidden storage only means that it is forgotten. */
  save(): void {
    const { language, theme, collection, method, rerank, variety } = this;
    try {
      this.storage.setItem(key, JSON.stringify({ language, theme, collection, method, rerank, variety }));
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

import type { Api } from '../api';
import type { I18n } from '../i18n/index.svelte';
import { Attempts } from './attempts.svelte';
import type { Library } from './library.svelte';
import type { Sample } from './sample.svelte';
import { firstCollection, type Settings } from './settings.svelte';

type ActionsApi = Pick<Api, 'chooseFolder' | 'open' | 'showInFolder'>;

/** What the analyst does with folders and documents from wherever in the window. */
export class Actions extends Attempts {
  constructor(
    private readonly api: ActionsApi,
    private readonly i18n: I18n,
    private readonly settings: Settings,
    private readonly library: Library,
    private readonly sample: Sample,
  ) {
    super();
  }

  /** Adds what is the analyst's own to the collection that is searched; the sample stays as it is. */
  async add(paths: string[]): Promise<void> {
    const { settings, library, sample } = this;
    if (sample.in(library.named(settings.collection))) settings.collection = firstCollection;
    await library.index(settings.collection, paths);
  }

  /** Asks for a folder and adds it. */
  async addFolder(): Promise<void> {
    await this.attempt(async () => {
      const folder = await this.api.chooseFolder();
      if (folder) await this.add([folder]);
    });
  }

  /** Makes the collection of the sample documents, or goes to it, and indexes it. */
  async trySample(): Promise<void> {
    const { i18n, settings, library, sample } = this;
    await this.attempt(async () => {
      const folder = await sample.write();
      settings.collection = library.collections.find(sample.in)?.name ?? i18n.t.sample.name;
      await library.index(settings.collection, [folder]);
    });
  }

  /** Asks which documents the sample has and what to ask of them. */
  async knowSample(): Promise<void> {
    await this.attempt(() => this.sample.load());
  }

  /** Opens a result's document. */
  async open(chunk: number): Promise<void> {
    await this.attempt(() => this.api.open(chunk));
  }

  /** Shows a result's document in its folder. */
  async showInFolder(chunk: number): Promise<void> {
    await this.attempt(() => this.api.showInFolder(chunk));
  }

  dismiss(): void {
    this.failure = undefined;
  }
}

import type { Api, CollectionSettings, FileCount, Policy, Watch } from '../api';
import { Attempts } from './attempts.svelte';
import { Files } from './files.svelte';

type CollectionsApi = Pick<
  Api,
  | 'files'
  | 'renameCollection'
  | 'removeCollection'
  | 'removeFolder'
  | 'setPolicy'
  | 'setSettings'
  | 'countFiles'
  | 'exportFiles'
  | 'watches'
  | 'onWatch'
  | 'chooseFolder'
>;

/** The collections as they are looked after: what is changed about them, what is watched, and the files of one. */
export class Collections extends Attempts {
  /** The one that is shown; where it is not there (any more), the first. */
  chosen = $state<string>();
  readonly files: Files;
  watches = $state.raw<Record<string, Watch>>({});
  /** The collection that is being removed: a large one takes a while. */
  removing = $state<string>();
  /** What was done, one sentence. */
  done = $state('');

  constructor(
    private readonly api: CollectionsApi,
    private readonly changed: () => Promise<void>, // what is in the collections, or what is searched
  ) {
    super();
    this.files = new Files(api);
  }

  /** Follows what is watched; returns what stops that. */
  listen(): () => void {
    const stop = this.api.onWatch((watch) => {
      const before = this.watches[watch.collection];
      this.watches = { ...this.watches, [watch.collection]: watch };
      if (watch.changed > (before?.changed ?? 0)) void this.changed();
    });
    void this.api.watches().then(
      (all) => (this.watches = { ...Object.fromEntries(all.map((w) => [w.collection, w])), ...this.watches }),
      () => {}, // the backend did not open, which the window says elsewhere
    );
    return stop;
  }

  dismiss(): void {
    this.failure = undefined;
    this.done = '';
  }

  setPolicy = (name: string, policy: Policy) => this.change(() => this.api.setPolicy(name, policy));
  setSettings = (name: string, settings: CollectionSettings) =>
    this.change(() => this.api.setSettings(name, settings));
  removeFolder = (name: string, path: string) => this.change(() => this.api.removeFolder(name, path));

  async remove(name: string): Promise<boolean> {
    this.removing = name;
    const done = await this.change(() => this.api.removeCollection(name));
    this.removing = undefined;
    return done;
  }

  async rename(name: string, to: string): Promise<boolean> {
    const done = await this.change(() => this.api.renameCollection(name, to));
    if (done && this.chosen === name) this.chosen = to;
    return done;
  }

  /** How many files would belong to a collection; undefined where that cannot be said or nobody wants to know any more. */
  count(name: string, settings: CollectionSettings): Promise<FileCount | undefined> {
    return this.api.countFiles(name, settings).catch(() => undefined);
  }

  /** Writes the files that are shown into a file, which is asked for; its path, or empty. */
  async export(json: boolean): Promise<string> {
    const { collection, filter } = this.files;
    let path = '';
    await this.do(async () => {
      path = await this.api.exportFiles(collection ?? '', filter, json);
    });
    return path;
  }

  /** Asks for a folder; empty where nobody chose one. */
  async folder(): Promise<string> {
    let folder = '';
    await this.do(async () => {
      folder = await this.api.chooseFolder();
    });
    return folder;
  }

  private async change(what: () => Promise<unknown>): Promise<boolean> {
    const done = await this.do(what);
    await this.changed();
    return done;
  }

  /** Does something whose failure is shown, and says whether it was done. */
  async do(what: () => Promise<unknown>): Promise<boolean> {
    this.dismiss();
    const did = await this.attempt(async () => {
      await what();
      return true;
    });
    return did === true;
  }
}

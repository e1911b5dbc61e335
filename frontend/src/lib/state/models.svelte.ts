import type { Api, ApiError, ModelImported, ModelPacked, ModelStatus, ModelWork } from '../api';
import { toApiError } from '../api/errors';

type ModelsApi = Pick<
  Api,
  | 'models'
  | 'modelOffer'
  | 'getModel'
  | 'importModels'
  | 'verifyModels'
  | 'removeModel'
  | 'packModels'
  | 'cancelModelWork'
  | 'modelWork'
  | 'onModelWork'
>;

export type Kind = 'get' | 'import' | 'verify' | 'remove' | 'pack';

/** The code of a refusal that asks. */
const reembeds = 'model_reembed';

/** What getting a model would bring, once that is known, for the analyst to agree to. */
export type Offer = { name: string; from: string; status?: ModelStatus; error?: ApiError };

/** How the last work ended. */
export type Ending = {
  kind: Kind;
  name: string;
  how: 'done' | 'stopped' | 'failed';
  error?: ApiError;
  imported?: ModelImported[];
  packed?: ModelPacked;
  /** What was verified. */
  checked?: ModelStatus[];
};

/** The models, the one long work with them that goes on, and how the last one ended. */
export class Models {
  /** undefined: not known yet. */
  list = $state.raw<ModelStatus[]>();
  /** Why they could not be listed. */
  failure = $state.raw<ApiError>();
  work = $state.raw<ModelWork>();
  offer = $state.raw<Offer>();
  ending = $state.raw<Ending>();

  private agreed = new Map<string, string>(); // from where, by name
  private mine = false; // the work was begun here, and ends with its own call

  constructor(
    private readonly api: ModelsApi,
    private readonly changed: () => void, // what runs may be another now
  ) {}

  /** Follows the work, also one that was begun before this window looked; returns what stops that. */
  listen(): () => void {
    const stop = this.api.onModelWork((work) => this.follow(work));
    void this.api.modelWork().then(
      (work) => this.work ?? this.follow(work),
      () => {}, // the backend did not open, which the window says elsewhere
    );
    return stop;
  }

  async load(): Promise<void> {
    try {
      this.list = await this.api.models();
      this.failure = undefined;
    } catch (reason) {
      this.failure = toApiError(reason);
    }
  }

  /** Why the last work with a model failed. */
  trouble(name: string): ApiError | undefined {
    return this.ending?.name === name && this.ending.kind !== 'import' ? this.ending.error : undefined;
  }

  /** Shows what getting a model would bring; from is a folder or an address, empty for the usual ones. */
  async ask(name: string, from = ''): Promise<void> {
    this.offer = { name, from };
    const offer: Offer = { name, from };
    try {
      offer.status = await this.api.modelOffer(name, from);
    } catch (reason) {
      offer.error = toApiError(reason);
    }
    if (this.offer?.name === name && this.offer.from === from) this.offer = offer;
  }

  decline(): void {
    this.offer = undefined;
  }

  /** Gets what is offered, which is what agreeing to its licence means. */
  async agree(): Promise<void> {
    const offer = this.offer;
    if (!offer) return;
    this.offer = undefined;
    this.agreed.set(offer.name, offer.from);
    await this.fetch(offer.name, offer.from);
  }

  /** Goes on with a model that was agreed to since the start; asks about any other. */
  get(name: string): Promise<void> {
    const from = this.agreed.get(name);
    return from === undefined ? this.ask(name) : this.fetch(name, from);
  }

  verify = (name = '') =>
    this.do('verify', name, async () => ({ checked: await this.api.verifyModels(name) }));
  remove = (name: string) => this.do('remove', name, () => this.api.removeModel(name));
  pack = (to: string) => this.do('pack', '', async () => ({ packed: await this.api.packModels(to) }));

  /** Installs what the paths hold, one after the other. */
  import = (paths: string[], reembed = false) =>
    this.do('import', '', async () => {
      const imported: ModelImported[] = [];
      for (const path of paths) imported.push(...(await this.api.importModels(path, reembed)));
      return { imported };
    });

  /** Whether the last work asks before it installs what would have all vectors of the index made again. */
  get asks(): boolean {
    return this.ending?.error?.code === reembeds || this.refused().length > 0;
  }

  /** Installs it all the same. */
  async anyway(): Promise<void> {
    const paths = this.refused();
    if (paths.length > 0) return this.import(paths, true);
    const name = this.ending?.name ?? '';
    await this.fetch(name, this.agreed.get(name) ?? '', true);
  }

  private refused(): string[] {
    const met = this.ending?.imported?.filter((m) => m.code === reembeds) ?? [];
    return [...new Set(met.map((m) => m.from))];
  }

  /**
   * Asks for a path and does something with it, unless other work goes on. A dialog that fails is shown like work that
   * does.
   */
  async choose(
    kind: Kind,
    dialog: () => Promise<string>,
    then: (path: string) => Promise<void>,
  ): Promise<void> {
    if (this.work) return;
    try {
      const path = await dialog();
      if (path) await then(path);
    } catch (reason) {
      this.ending = { kind, name: '', how: 'failed', error: toApiError(reason) };
    }
  }

  cancel(): void {
    void this.api.cancelModelWork();
  }

  dismiss(): void {
    this.ending = undefined;
  }

  private fetch = (name: string, from: string, reembed = false) =>
    this.do('get', name, () => this.api.getModel(name, from, reembed));

  private async do(kind: Kind, name: string, what: () => Promise<Partial<Ending> | void>): Promise<void> {
    if (this.work) return;
    this.mine = true;
    this.work = { kind, name, progress: noProgress } as ModelWork;
    this.ending = undefined;
    let ending: Ending;
    try {
      ending = { kind, name, how: 'done', ...(await what()) };
    } catch (reason) {
      const error = toApiError(reason);
      ending = error.canceled ? { kind, name, how: 'stopped' } : { kind, name, how: 'failed', error };
    }
    await this.load(); // before the work is said to have ended, so that no old state shows in between
    this.mine = false;
    this.work = undefined;
    this.ending = ending;
    this.changed();
  }

  private follow(work: ModelWork): void {
    if (work.kind !== '') this.work = work;
    else if (this.work && !this.mine) {
      this.work = undefined;
      void this.load();
      this.changed();
    }
  }
}

const noProgress = { name: '', phase: '', file: '', source: '', done: 0, total: 0, rate: 0, remaining: 0 };

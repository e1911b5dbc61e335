import type { Api, ApiError, ProgramSettings, SettingChange, SettingState } from '../api';
import { toApiError } from '../api/errors';

type ProgramApi = Pick<Api, 'settings' | 'changeSettings' | 'setKey' | 'reloadSettings'>;

/** The settings of the program, beside those of the window, and the last change of them. */
export class Program {
  now = $state.raw<ProgramSettings>();
  /** What is being changed: the name of a setting, or "key". */
  changing = $state<string>();
  /** Why the last change was refused, and of what. */
  refused = $state.raw<{ name: string; error: ApiError }>();
  /** The last change, and what takes it back. */
  last = $state.raw<{ name: string; undo: SettingChange }>();

  private tail: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly api: ProgramApi,
    private readonly changed: () => void, // the program goes on with other settings
  ) {}

  async load(): Promise<void> {
    await this.take('', () => this.api.settings());
  }

  async change(setting: SettingState, value: string): Promise<void> {
    if (value === setting.value) return this.forgive(setting.name);
    await this.apply(setting, { name: setting.name, value, reset: false });
  }

  /** Takes a setting back to what it is where nobody has set it here. */
  async reset(setting: SettingState): Promise<void> {
    await this.apply(setting, { name: setting.name, value: '', reset: true });
  }

  async undo(): Promise<void> {
    const last = this.last;
    if (!last) return;
    if (await this.take(last.name, () => this.api.changeSettings([last.undo]))) this.last = undefined;
  }

  async setKey(key: string): Promise<boolean> {
    return this.take('key', () => this.api.setKey(key));
  }

  async reload(): Promise<void> {
    await this.take('key', () => this.api.reloadSettings());
  }

  private async apply(before: SettingState, change: SettingChange): Promise<void> {
    const set = before.from === 'settings';
    const undo = { name: before.name, value: set ? before.value : '', reset: !set };
    if (await this.take(change.name, () => this.api.changeSettings([change])))
      this.last = { name: change.name, undo };
  }

  private forgive(name: string): void {
    if (this.refused?.name === name) this.refused = undefined;
  }

  /** Asks one after the other; whether it was done. Without a name nothing is changed. */
  private take(name: string, call: () => Promise<ProgramSettings>): Promise<boolean> {
    const turn = this.tail.then(() => this.ask(name, call));
    this.tail = turn;
    return turn;
  }

  private async ask(name: string, call: () => Promise<ProgramSettings>): Promise<boolean> {
    this.changing = name || undefined;
    this.refused = undefined;
    try {
      this.now = await call();
      if (name) this.changed();
      return true;
    } catch (reason) {
      this.refused = { name, error: toApiError(reason) };
      return false;
    } finally {
      this.changing = undefined;
    }
  }
}

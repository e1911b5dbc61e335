import * as Service from '../../../wailsjs/go/app/SettingsService';
import type { app, domain } from '../../../wailsjs/go/models';
import { call, list } from './call';

export type ProgramSettings = app.Settings;
export type SettingState = domain.SettingState;
export type SettingChange = { name: string; value: string; reset: boolean };
export type KeyState = domain.KeyState;

export const settings = {
  settings: () => call(Service.Get()).then(settingsOf),
  /** All of them or none; they count when this has come back. */
  changeSettings: (changes: SettingChange[]) => call(Service.Change(changes)).then(settingsOf),
  /** Keeps a key of Cohere, or forgets it where it is empty. It is never given back. */
  setKey: (key: string) => call(Service.SetKey(key)).then(settingsOf),
  reloadSettings: () => call(Service.Reload()).then(settingsOf),
  showDataFolder: () => call(Service.ShowDataFolder()),
};

function settingsOf(s: ProgramSettings): ProgramSettings {
  return { ...s, list: list(s.list).map((one) => ({ ...one, choices: list(one.choices) })) };
}

import { createContext } from 'svelte';
import type { Api } from '../api';
import type { I18n } from '../i18n/index.svelte';
import type { Collections } from './collections.svelte';
import type { Devices } from './devices.svelte';
import type { Drill } from './drill.svelte';
import type { Drop } from './drop.svelte';
import type { History } from './history.svelte';
import type { Ledger } from './ledger.svelte';
import type { Library } from './library.svelte';
import type { Measure } from './measure.svelte';
import type { Models } from './models.svelte';
import type { Navigation } from './navigation.svelte';
import type { Previewer } from './preview.svelte';
import type { Program } from './program.svelte';
import type { Sample } from './sample.svelte';
import type { Search } from './search.svelte';
import type { Settings } from './settings.svelte';
import type { Take } from './take.svelte';

/** What every component may reach. */
export type Window = {
  api: Api;
  i18n: I18n;
  settings: Settings;
  search: Search;
  library: Library;
  collections: Collections;
  ledger: Ledger;
  models: Models;
  measure: Measure;
  drill: Drill;
  program: Program;
  devices: Devices;
  navigation: Navigation;
  preview: Previewer;
  take: Take;
  history: History;
  drop: Drop;
  sample: Sample;
  /** Asks for a folder and indexes it into the current collection; the sample stays as it is. */
  addFolder: () => Promise<void>;
  /** Makes the collection of the sample documents, or goes to it, and indexes it. */
  trySample: () => Promise<void>;
  /** Opens a result's document, or its folder; a failure is shown. */
  open: (chunk: number) => Promise<void>;
  showInFolder: (chunk: number) => Promise<void>;
};

export const [useWindow, provideWindow] = createContext<Window>();

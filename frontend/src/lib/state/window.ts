import { api } from '../api';
import type { I18n } from '../i18n/index.svelte';
import { Actions } from './actions.svelte';
import { Collections } from './collections.svelte';
import { Devices } from './devices.svelte';
import { Drill } from './drill.svelte';
import { Drop } from './drop.svelte';
import { History } from './history.svelte';
import { Ledger } from './ledger.svelte';
import { Library } from './library.svelte';
import { Measure } from './measure.svelte';
import { Models } from './models.svelte';
import { Navigation } from './navigation.svelte';
import { Previewer } from './preview.svelte';
import { Program } from './program.svelte';
import { Sample } from './sample.svelte';
import { Search } from './search.svelte';
import type { Settings } from './settings.svelte';
import { Take } from './take.svelte';

/** What every component may reach: one store a subject, and what each of them tells the others. */
export type Window = ReturnType<typeof windowOf>;

export function windowOf(settings: Settings, i18n: I18n) {
  const search: Search = new Search(api, () => ({
    collection: settings.collection,
    method: settings.method,
    rerank: settings.rerank,
    variety: settings.variety,
    top: settings.results,
  }));
  const library = new Library(api, () => void search.run());
  const devices = new Devices(api);
  const sample = new Sample(api);

  /** There is something else to search, or it is searched otherwise. */
  const searchAnew = async () => {
    await library.start();
    void search.run();
  };
  /** Other models may run now, or elsewhere. */
  const modelsChanged = () => {
    void searchAnew();
    if (devices.report) void devices.test();
  };

  return {
    api,
    i18n,
    settings,
    search,
    library,
    devices,
    sample,
    actions: new Actions(api, i18n, settings, library, sample),
    collections: new Collections(api, searchAnew),
    measure: new Measure(api, searchAnew),
    models: new Models(api, modelsChanged),
    program: new Program(api, modelsChanged),
    ledger: new Ledger(api, () => void library.start()),
    drill: new Drill(api),
    preview: new Previewer(api),
    history: new History(api),
    take: new Take(api, i18n, () => settings.quotes),
    navigation: new Navigation(),
    drop: new Drop(),
  };
}

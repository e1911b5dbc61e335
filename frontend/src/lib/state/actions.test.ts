import { expect, it } from 'vitest';
import { ApiError } from '../api/errors';
import '../i18n/en';
import { I18n } from '../i18n/index.svelte';
import { Actions } from './actions.svelte';
import { Library } from './library.svelte';
import { Sample } from './sample.svelte';
import { Settings } from './settings.svelte';

const folder = '/program/sample';

/** Actions on collections of these names and folders; what was indexed, in order. */
async function begin(collections: Record<string, string[]>, choose: () => Promise<string>) {
  const indexed: unknown[] = [];
  const api = {
    collections: async () =>
      Object.entries(collections).map(([name, roots]) => ({ name, roots, documents: 1 })),
    status: () => new Promise(() => {}),
    index: async (collection: string, paths: string[]) => {
      indexed.push([collection, ...paths]);
      return {};
    },
    sample: async () => ({ folder, queries: [] }),
    writeSample: async () => ({ folder, queries: [] }),
    chooseFolder: choose,
    open: () => Promise.reject(new ApiError('not_found', 'it is gone', '')),
  } as never;
  const settings = new Settings({ getItem: () => null, setItem: () => {} }, 'en');
  const library = new Library(api, () => {});
  const sample = new Sample(api);
  await Promise.all([library.start(), sample.load()]);
  const i18n = await I18n.speaking('en', 'local');
  return { actions: new Actions(api, i18n, settings, library, sample), settings, indexed };
}

it('adds a folder to the collection that is searched', async () => {
  const { actions, settings, indexed } = await begin({ case: ['/a'] }, async () => '/b');
  settings.collection = 'case';
  await actions.addFolder();
  expect(indexed).toEqual([['case', '/b']]);
});

it('keeps what is the analyst’s own out of the sample', async () => {
  const { actions, settings, indexed } = await begin({ Sample: [folder] }, async () => '/b');
  settings.collection = 'Sample';
  await actions.addFolder();
  expect(indexed).toEqual([['default', '/b']]);
  expect(settings.collection).toBe('default');
});

it('goes back to the sample, whatever its collection is called', async () => {
  const { actions, settings, indexed } = await begin({ mine: ['/a'], tried: [folder] }, async () => '');
  await actions.trySample();
  expect(indexed).toEqual([['tried', folder]]);
  expect(settings.collection).toBe('tried');
});

it('does nothing where nobody chose a folder, and says why something failed until the next attempt', async () => {
  const { actions, indexed } = await begin({}, async () => '');
  await actions.open(1);
  expect(actions.failure?.message).toBe('it is gone');
  await actions.addFolder();
  expect(actions.failure).toBeUndefined();
  expect(indexed).toEqual([]);
});

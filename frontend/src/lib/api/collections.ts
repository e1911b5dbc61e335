import * as Collections from '../../../wailsjs/go/app/CollectionsService';
import * as Documents from '../../../wailsjs/go/app/DocumentsService';
import type { app, domain } from '../../../wailsjs/go/models';
import { on } from './bridge';
import { call, list } from './call';

export type CollectionSettings = domain.CollectionSettings;
export type CollectionSummary = domain.CollectionSummary;
export type DocumentEntry = domain.DocumentEntry;
export type DocumentPage = domain.DocumentPage;
export type FileCount = domain.FileCount;
export type SampleDocuments = app.Sample;
export type Watch = app.Watch;

export type Policy = 'never' | 'ask' | 'allowed';
export type OnBattery = 'low' | 'pause' | 'go';

/** Which documents of a collection: in one of these states, with this text in their path; those after a place. */
export type FileFilter = {
  states?: string[];
  text?: string;
  after?: { path: string; member?: string };
  limit?: number;
};

const filterOf = (filter: FileFilter) => filter as domain.DocumentFilter;

export const collections = {
  collections: () => call(Collections.List()).then((all) => list(all).map(collectionOf)),
  addToCollection: (name: string, paths: string[]) => call(Collections.Add(name, paths)),
  renameCollection: (name: string, to: string) => call(Collections.Rename(name, to)),
  removeCollection: (name: string) => call(Collections.Remove(name)),
  setPolicy: (name: string, policy: Policy) => call(Collections.SetPolicy(name, policy)),
  setSettings: (name: string, settings: CollectionSettings) => call(Collections.SetSettings(name, settings)),
  removeFolder: (name: string, path: string) => call(Collections.RemoveFolder(name, path)),
  countFiles: (name: string, settings: CollectionSettings) => call(Collections.Count(name, settings)),
  files: (name: string, filter: FileFilter) =>
    call(Collections.Files(name, filterOf(filter))).then(
      (page): DocumentPage => ({ ...page, documents: list(page.documents) }) as DocumentPage,
    ),
  /** Asks where to, and gives the file's path; empty where nobody chose one. */
  exportFiles: (name: string, filter: FileFilter, json: boolean) =>
    call(Collections.Export(name, filterOf(filter), json)),
  /** Where the sample documents are, or would be. */
  sample: () => call(Collections.Sample()),
  writeSample: () => call(Collections.WriteSample()),
  watches: () => call(Collections.Watches()).then(list),
  onWatch: (callback: (watch: Watch) => void) => on('index:watch', callback),
  openFile: (document: number) => call(Documents.OpenFile(document)),
  showFile: (document: number) => call(Documents.ShowFile(document)),
};

/** A collection with lists where Go has nil ones. */
const collectionOf = (c: CollectionSummary): CollectionSummary =>
  ({
    ...c,
    roots: list(c.roots),
    states: c.states ?? {},
    settings: { ...c.settings, include: list(c.settings?.include), ignore: list(c.settings?.ignore) },
  }) as CollectionSummary;

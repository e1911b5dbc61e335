import type { CollectionSummary, DocumentEntry } from './api';
import type { Format } from './format';
import type { Dictionary } from './i18n/index.svelte';

/** The states of a document in the order in which they are shown: what can be searched, then what cannot. */
export const states = [
  'indexed',
  'container',
  'no text',
  'needs password',
  'unsupported',
  'failed',
  'quarantined',
  'reading',
] as const;

/** The states of files that could not be read and may be another time. */
export const failed: string[] = ['failed', 'quarantined'];

/** The states that a collection has, with how many documents are in each; those that nobody knows here come last. */
export function counted(c: Pick<CollectionSummary, 'states'>): [state: string, n: number][] {
  const known = states as readonly string[];
  const place = (state: string) => (known.includes(state) ? known.indexOf(state) : known.length);
  return Object.entries(c.states)
    .filter(([, n]) => n > 0)
    .sort(([a], [b]) => place(a) - place(b));
}

/** How many documents have nothing that can be found. */
export const unread = (c: Pick<CollectionSummary, 'states'>): number =>
  counted(c).reduce((sum, [state, n]) => (state === 'indexed' || state === 'container' ? sum : sum + n), 0);

/** What there is to say of a document in numbers. */
export function facts(d: DocumentEntry, t: Dictionary, f: Format): string[] {
  const words = t.collections;
  const ocr: Record<string, string> = words.ocrStates;
  const said = [f.bytes(d.size)];
  if (d.chunks > 0) said.push(words.passages(d.chunks, f.integer(d.chunks)));
  if (d.ocr === 'done' && d.sure) said.push(words.recognised(f.percent(d.sure)));
  else if (d.ocr && Object.hasOwn(ocr, d.ocr)) said.push(ocr[d.ocr]!);
  return said;
}

/** The patterns that somebody has written, one a line. */
export const patterns = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

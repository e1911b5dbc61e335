import type { LedgerFault, LedgerFilter, LedgerRecord } from './api';
import type { Format } from './format';
import { word, type Dictionary } from './i18n/index.svelte';

/** What somebody wants to see of the ledger. */
export type Wanted = {
  time: 'all' | 'day' | 'week' | 'month';
  collection: string; // empty: all
  outcome: 'all' | 'sent' | 'failed' | 'refused' | 'acknowledged';
  text: string;
};

const day = 24 * 60 * 60 * 1000;
const spans = { day, week: 7 * day, month: 30 * day };

/** The backend's filter for what is wanted, at a moment in milliseconds. */
export function filterOf({ time, collection, outcome, text }: Wanted, now: number): LedgerFilter {
  return {
    ...(time !== 'all' && { since: new Date(now - spans[time]).toISOString() }),
    ...(collection && { collection }),
    ...(outcome === 'failed' ? { failed: true } : outcome !== 'all' && { kind: outcome }),
    ...(text.trim() && { text: text.trim() }),
  };
}

/** What an entry is about, in one line. */
export function about(r: LedgerRecord, t: Dictionary, f: Format): string {
  const words = t.ledger;
  const passages = r.passages?.length ?? 0;
  switch (r.kind) {
    case 'sent':
      return words.sent(passages, f.integer(passages), r.host ?? '');
    case 'refused':
      return words.refused(r.host ?? '');
    case 'acknowledged':
      return words.seen(r.faults?.length ?? 0, f.integer(r.faults?.length ?? 0));
    case 'ended':
      return words.ended;
    default:
      return r.kind;
  }
}

/** How an entry came out, in a word or two, and whether that is as it should be. */
export function outcome(r: LedgerRecord, t: Dictionary): { text: string; well: boolean } {
  const words = t.ledger;
  if (r.kind === 'refused') return { text: word(t.codes, r.code ?? ''), well: true };
  if (r.kind !== 'sent') return { text: '', well: true };
  if (!r.ended) return { text: words.endUnknown, well: false };
  const { code = '' } = r.ended;
  return code === 'ok' ? { text: words.answered, well: true } : { text: word(t.codes, code), well: false };
}

/** Where something is wrong with the ledger, and what. */
export function faultSaid({ kind, first, last }: LedgerFault, t: Dictionary, f: Format): string {
  const words = t.ledger;
  const which =
    last > first ? words.entries(f.integer(first), f.integer(last)) : words.entry(f.integer(first));
  const known: Record<string, (which: string) => string> = words.faults;
  return Object.hasOwn(known, kind) ? known[kind]!(which) : `${which}: ${kind}`;
}

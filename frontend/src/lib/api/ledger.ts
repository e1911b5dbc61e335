import * as Ledger from '../../../wailsjs/go/app/LedgerService';
import type { app, domain } from '../../../wailsjs/go/models';
import { call, list } from './call';

export type LedgerExport = app.LedgerExport;
export type LedgerFault = domain.LedgerFault;
export type LedgerRecord = domain.LedgerRecord;
export type LedgerState = domain.LedgerState;

/** Which entries: of a time, of a collection, of a kind, with a text in what they name; those before an entry. */
export type LedgerFilter = {
  since?: string;
  until?: string;
  collection?: string;
  kind?: string;
  failed?: boolean;
  text?: string;
  before?: number;
  limit?: number;
};

const filterOf = (filter: LedgerFilter) => filter as domain.LedgerFilter;

const stateOf = (s: LedgerState): LedgerState =>
  ({ ...s, faults: list(s.faults), acknowledged: list(s.acknowledged) }) as LedgerState;

const recordOf = (r: LedgerRecord): LedgerRecord =>
  ({
    ...r,
    collections: list(r.collections),
    passages: list(r.passages),
    faults: list(r.faults),
  }) as LedgerRecord;

export const ledger = {
  ledger: (filter: LedgerFilter) =>
    call(Ledger.List(filterOf(filter))).then((all) => list(all).map(recordOf)),
  ledgerState: () => call(Ledger.State()).then(stateOf),
  verifyLedger: () => call(Ledger.Verify()).then(stateOf),
  acknowledgeLedger: () => call(Ledger.Acknowledge()).then(stateOf),
  exportLedger: (filter: LedgerFilter) => call(Ledger.Export(filterOf(filter))),
  /** The analyst's yes for a whole collection whose policy is to ask. */
  allow: (collection: string) => call(Ledger.Allow(collection)),
};

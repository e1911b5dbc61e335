import { describe, expect, it } from 'vitest';
import { ApiError, type LedgerFilter, type LedgerRecord, type LedgerState } from '../api';
import { Ledger, page } from './ledger.svelte';

function fake(entries: number) {
  const state = {
    faults: [] as unknown[],
    fails: false,
    changed: 0,
    filters: [] as LedgerFilter[],
    path: '/x',
  };
  const ledgerState = () =>
    state.fails
      ? Promise.reject(new ApiError('internal', 'cannot be read', ''))
      : Promise.resolve({ entries, faults: state.faults } as unknown as LedgerState);
  const api = {
    ledger: (filter: LedgerFilter) => {
      state.filters.push(filter);
      const from = filter.before === undefined ? entries : filter.before - 1;
      const length = Math.min(from, filter.limit ?? 0);
      return Promise.resolve(Array.from({ length }, (_, i) => ({ n: from - i }) as LedgerRecord));
    },
    ledgerState,
    verifyLedger: ledgerState,
    acknowledgeLedger: () => {
      state.faults = [];
      return ledgerState();
    },
    exportLedger: (filter: LedgerFilter) => {
      state.filters.push(filter);
      return Promise.resolve({ path: state.path, entries });
    },
  };
  return { ledger: new Ledger(api as never, () => state.changed++), state };
}

describe('the ledger', () => {
  it('shows the latest entries and those before them when asked', async () => {
    const { ledger } = fake(page + 3);
    await ledger.open();
    expect([ledger.list?.length, ledger.list?.[0]?.n, ledger.more]).toEqual([page, page + 3, true]);
    await ledger.next();
    expect([ledger.list?.length, ledger.list?.at(-1)?.n, ledger.more]).toEqual([page + 3, 1, false]);
  });

  it('says that the window must know when what may leave has changed', async () => {
    const { ledger, state } = fake(1);
    state.faults = [{}];
    await ledger.verify();
    expect([ledger.state?.faults.length, ledger.verifying, state.changed]).toEqual([1, false, 1]);
    await ledger.acknowledge();
    expect([ledger.state?.faults.length, state.changed]).toEqual([0, 2]);
  });

  it('one that cannot be read is no empty one', async () => {
    const { ledger, state } = fake(0);
    state.fails = true;
    await ledger.open();
    expect([ledger.state, ledger.failure?.message]).toEqual([undefined, 'cannot be read']);
  });

  it('writes what is wanted, and nothing where nobody chose a file', async () => {
    const { ledger, state } = fake(2);
    ledger.want({ outcome: 'failed', collection: 'papers' });
    expect(ledger.filtered).toBe(true);
    await ledger.export();
    expect([state.filters.at(-1), ledger.exported?.entries]).toEqual([{ collection: 'papers' }, 2]);
    state.path = '';
    await ledger.export();
    expect(ledger.exported).toBeUndefined();
  });
});

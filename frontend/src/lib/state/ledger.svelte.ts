import type { Api, ApiError, LedgerExport, LedgerRecord, LedgerState } from '../api';
import { toApiError } from '../api/errors';
import { filterOf, type Wanted } from '../ledger';

/** How many entries are asked for at a time. */
export const page = 200;

/** How long the analyst must pause before what is typed filters, in milliseconds. */
const pause = 150;

type LedgerApi = Pick<Api, 'ledger' | 'ledgerState' | 'verifyLedger' | 'acknowledgeLedger' | 'exportLedger'>;

/** The ledger as it is looked at: its entries, the latest first, and whether it is whole. */
export class Ledger {
  wanted = $state.raw<Wanted>({ time: 'all', collection: '', outcome: 'all', text: '' });
  /** undefined: not read yet. */
  list = $state.raw<LedgerRecord[]>();
  more = $state(false);
  loading = $state(false);
  /** undefined: not known yet. */
  state = $state.raw<LedgerState>();
  verifying = $state(false);
  failure = $state.raw<ApiError>();
  exported = $state.raw<LedgerExport>();

  private asked = 0; // an answer to an older question does not count
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly api: LedgerApi,
    private readonly changed: () => void, // whether something may leave
  ) {}

  /** Whether any filter is set. */
  get filtered(): boolean {
    const { time, collection, outcome, text } = this.wanted;
    return time !== 'all' || collection !== '' || outcome !== 'all' || text.trim() !== '';
  }

  /** Reads the latest entries and the state. */
  async open(): Promise<void> {
    await Promise.all([this.load(), this.check(this.api.ledgerState)]);
  }

  want(change: Partial<Wanted>): void {
    this.wanted = { ...this.wanted, ...change };
    clearTimeout(this.timer);
    if (change.text === undefined) void this.load();
    else this.timer = setTimeout(() => void this.load(), pause);
  }

  load = (): Promise<void> => this.ask(false);

  /** Asks for the entries before those that are shown. */
  async next(): Promise<void> {
    if (this.more && !this.loading) await this.ask(true);
  }

  async verify(): Promise<void> {
    this.verifying = true;
    await this.check(this.api.verifyLedger);
    this.verifying = false;
  }

  async acknowledge(): Promise<void> {
    await this.check(this.api.acknowledgeLedger);
    await this.load();
  }

  /** Writes the entries of a time, a collection and a text into a file that is asked for. */
  async export(): Promise<void> {
    this.exported = undefined;
    await this.try(async () => {
      const { failed: _, ...filter } = filterOf(this.wanted, Date.now());
      const exported = await this.api.exportLedger(filter);
      if (exported.path) this.exported = exported;
    });
  }

  dismiss(): void {
    this.failure = undefined;
    this.exported = undefined;
  }

  private async check(how: () => Promise<LedgerState>): Promise<void> {
    await this.try(async () => {
      this.state = await how();
      this.changed();
    });
  }

  private async ask(onward: boolean): Promise<void> {
    const asked = ++this.asked;
    this.loading = true;
    const before = onward ? this.list?.at(-1)?.n : undefined;
    await this.try(async () => {
      const filter = filterOf(this.wanted, Date.now());
      const found = await this.api.ledger({
        ...filter,
        limit: page,
        ...(before !== undefined && { before }),
      });
      if (asked !== this.asked) return;
      this.list = onward ? [...(this.list ?? []), ...found] : found;
      this.more = found.length === page;
    });
    if (asked === this.asked) this.loading = false;
  }

  private async try(what: () => Promise<void>): Promise<void> {
    try {
      await what();
    } catch (reason) {
      const error = toApiError(reason);
      if (!error.canceled) this.failure = error;
    }
  }
}

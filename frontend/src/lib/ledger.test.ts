import { describe, expect, it } from 'vitest';
import type { LedgerFault, LedgerRecord } from './api';
import { formatter } from './format';
import { en } from './i18n/en';
import { fa } from './i18n/fa';
import { about, faultSaid, filterOf, outcome, type Wanted } from './ledger';

const f = formatter('en');
const record = (r: Partial<LedgerRecord>) => r as LedgerRecord;

describe('what is wanted of the ledger', () => {
  const all: Wanted = { time: 'all', collection: '', outcome: 'all', text: '' };
  const now = Date.UTC(2026, 10, 30, 12);
  it.each<[string, Partial<Wanted>, object]>([
    ['all', {}, {}],
    ['a day', { time: 'day' }, { since: '2026-11-29T12:00:00.000Z' }],
    ['a month', { time: 'month' }, { since: '2026-10-31T12:00:00.000Z' }],
    ['a collection', { collection: 'papers' }, { collection: 'papers' }],
    ['what was kept here', { outcome: 'refused' }, { kind: 'refused' }],
    ['what had no good answer', { outcome: 'failed' }, { failed: true }],
    ['a text', { text: ' cohere ' }, { text: 'cohere' }],
    ['blanks', { text: '  ' }, {}],
  ])('%s', (_, change, want) => expect(filterOf({ ...all, ...change }, now)).toEqual(want));
});

it.each<[string, Partial<LedgerRecord>, string]>([
  ['sent', { kind: 'sent', host: 'h', passages: ['a', 'b'] }, 'The query and 2 passages to h'],
  ['kept', { kind: 'refused', host: 'h' }, 'Kept here, not sent to h'],
  ['seen', { kind: 'acknowledged', faults: [{} as LedgerFault] }, '1 fault seen'],
  ['of a kind that nobody knows', { kind: 'other' }, 'other'],
])('an entry says what it is about: %s', (_, r, want) => expect(about(record(r), en, f)).toBe(want));

it.each<[string, Partial<LedgerRecord>, string, boolean]>([
  ['answered', { kind: 'sent', ended: { code: 'ok' } as never }, 'answered', true],
  ['too late', { kind: 'sent', ended: { code: 'deadline' } as never }, 'too late', false],
  ['never heard of again', { kind: 'sent' }, 'how it ended is not known', false],
  ['kept here', { kind: 'refused', code: 'policy' }, en.codes.policy, true],
])('an entry says how it came out: %s', (_, r, text, well) =>
  expect(outcome(record(r), en)).toEqual({ text, well }),
);

describe('a fault', () => {
  const fault = (kind: string, first: number, last: number) => ({ kind, first, last }) as LedgerFault;
  it('says where it is', () => {
    expect(faultSaid(fault('changed', 7, 7), en, f)).toBe('Entry 7: not what was written');
    expect(faultSaid(fault('missing', 3, 12), fa, formatter('fa-IR'))).toBe('ثبت‌های ۳ تا ۱۲: نیست');
  });
  it('of a kind that nobody knows is shown as it is', () =>
    expect(faultSaid(fault('toString', 1, 1), en, f)).toBe('Entry 1: toString'));
});

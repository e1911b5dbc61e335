import { describe, expect, it } from 'vitest';
import { fileName, formatter, placeInside } from './format';

const en = formatter('en');
const fa = formatter('fa-IR');
/** Without the invisible marks and the choice of space that ICU makes. */
const plain = (s: string) => s.replace(/[\u200e\u200f\u061c]/g, '').replace(/[\u00a0\u202f]/g, ' ');

describe('format', () => {
  it.each([
    [en.score(0.8734), '0.87'],
    [en.score(1), '1.00'],
    [fa.score(0.8734), '۰٫۸۷'],
    [en.raw(-3.25), '-3.250'],
    [en.integer(12345), '12,345'],
    [fa.integer(12), '۱۲'],
    [en.bytes(0), '0 bytes'],
    [en.bytes(999), '999 bytes'],
    [en.bytes(1500), '1.5 kB'],
    [en.bytes(12_345_678), '12 MB'],
    [en.rate(0.25), '0.3'],
    [en.rate(1234.5), '1,235'],
    [en.ms(0.42), '0.4 ms'],
    [en.ms(37.6), '38 ms'],
    [en.ms(1234), '1.2 sec'],
    [en.duration(4.4e9), '4 sec'],
    [en.duration(2e8), '1 sec'],
    [en.duration(150e9), '3 min'],
  ])('%s', (got, want) => expect(plain(got)).toBe(want));

  it('writes Persian digits', () => {
    expect(plain(fa.ms(38))).toMatch(/^۳۸/);
    expect(fa.rate(12.3)).toBe('۱۲');
    expect(plain(fa.bytes(84e6))).toBe('۸۴ مگابایت');
  });
});

describe('file names', () => {
  it.each([
    ['/home/a/گزارش.txt', 'گزارش.txt'],
    ['C:\\Users\\a\\b.pdf', 'b.pdf'],
    ['/a/', 'a'],
    ['plain.md', 'plain.md'],
    ['/', '/'],
  ])('%s', (path, want) => expect(fileName(path)).toBe(want));
});

describe('the place inside a document', () => {
  it.each([
    ['Lease', 'Lease › Rent › Late', 'Rent › Late'],
    ['Lease', 'Lease', ''],
    ['Lease', 'Leases › Rent', 'Leases › Rent'],
    ['', 'Rent', 'Rent'],
    ['Lease', '', ''],
  ])('%s, %s', (title, heading, want) => expect(placeInside(title, heading)).toBe(want));
});

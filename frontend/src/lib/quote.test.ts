import { describe, expect, it } from 'vitest';
import type { ChunkView, Hit } from './api';
import { formatter } from './format';
import { en } from './i18n/en';
import { fa } from './i18n/fa';
import { fileUrl, quotation } from './quote';

const hit = {
  path: '/docs/harbour report.pdf',
  title: 'Harbour [draft]',
  heading: 'Harbour [draft] › Dredging',
  format: 'pdf',
  page: 12,
  line: 0,
} as Hit;
const view = {
  chunk: { text: ' The *old* lantern.\n# Second line ' },
  document: { author: 'A. Keeper', dated: '2024-03-01T12:00:00Z' },
} as unknown as ChunkView;
const plain = (text: string) => text.replace(/[\u2068\u2069]/g, '');

describe('a quotation', () => {
  it('has its source in plain text', () => {
    const text = quotation(hit, view, 'text', en, formatter('en'));
    expect(plain(text)).toBe(
      '“The *old* lantern.\n# Second line”\n— Harbour [draft], A. Keeper, Mar 1, 2024, harbour report.pdf, page 12, Dredging\n',
    );
    expect(text).toContain('\u2068A. Keeper\u2069'); // each part in its own direction
  });

  it('has nothing of a document as markup in Markdown', () => {
    expect(quotation(hit, view, 'markdown', en, formatter('en'))).toBe(
      '> The \\*old\\* lantern\\.\n> \\# Second line\n>\n' +
        '> — Harbour \\[draft\\], A\\. Keeper, Mar 1, 2024, [harbour report\\.pdf](<file:///docs/harbour%20report.pdf>), page 12, Dredging\n',
    );
  });

  it('leaves out what is not known', () => {
    const bare = { ...hit, title: 'harbour report.pdf', heading: '', page: 0, member: 'inbox/7' } as Hit;
    const nothing = { ...view, document: { dated: '0001-01-01T00:00:00Z' } } as unknown as ChunkView;
    expect(plain(quotation(bare, nothing, 'text', en, formatter('en')))).toBe(
      '“The *old* lantern.\n# Second line”\n— harbour report.pdf › inbox/7\n',
    );
  });

  it('is in the marks and digits of Persian', () => {
    const text = plain(quotation(hit, view, 'text', fa, formatter('fa-IR')));
    expect(text).toMatch(/^«The \*old\* lantern/);
    expect(text).toContain('صفحهٔ ۱۲');
    expect(text).toContain('، ');
  });

  it.each([
    ['/a b/c#d.txt', 'file:///a%20b/c%23d.txt'],
    ['C:\\docs\\نامه.txt', 'file:///C:/docs/%D9%86%D8%A7%D9%85%D9%87.txt'],
    ['/a>b', 'file:///a%3Eb'],
  ])('links %s as %s', (path, want) => expect(fileUrl(path)).toBe(want));
});

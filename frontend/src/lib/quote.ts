import { isolated } from './text/isolate';
import type { ChunkView, Hit } from './api';
import { fileName, placeInside, type Format } from './format';
import type { Dictionary } from './i18n/index.svelte';
import type { Quotes } from './state/settings.svelte';

/** Where a passage stands in its file: page or slide, heading, cells, line. */
export function placeOf(hit: Hit, t: Dictionary, f: Format): string[] {
  const page = hit.format === 'pptx' || hit.format === 'odp' ? t.slide : t.page;
  return [
    hit.page > 0 ? page(f.integer(hit.page)) : '',
    placeInside(hit.title, hit.heading),
    hit.cells ? t.cells(hit.cells) : '',
    hit.line > 0 ? t.line(f.integer(hit.line)) : '',
  ].filter(Boolean);
}

/**
 * A passage as a quotation with its source: title, author and date where they are known, the file and the place in it.
 * Every part of the source is kept apart from the others, so that one in another direction does not disturb them.
 */
export function quotation(hit: Hit, view: ChunkView, as: Quotes, t: Dictionary, f: Format): string {
  const { author, dated } = view.document;
  const date = dated ? new Date(dated as unknown as string) : undefined;
  const file = fileName(hit.path) + (hit.member ? ` › ${hit.member}` : '');
  const title = hit.title && hit.title !== fileName(hit.path) ? hit.title : '';
  const known = date && date.getFullYear() > 1 ? f.date(date) : '';
  const parts = [title, author ?? '', known];
  const text = view.chunk.text.trim();
  if (as === 'text') {
    const source = [...parts, file, ...placeOf(hit, t, f)].filter(Boolean).map(isolated);
    return `${t.keep.quoteOpen}${text}${t.keep.quoteClose}\n— ${source.join(t.keep.comma)}\n`;
  }
  const source = [
    ...parts.filter(Boolean).map(escaped),
    `[${escaped(file)}](<${fileUrl(hit.path)}>)`,
    ...placeOf(hit, t, f).map(escaped),
  ];
  const lines = text.split(/\r?\n/).map((line) => `> ${escaped(line)}`.trimEnd());
  return `${lines.join('\n')}\n>\n> — ${source.join(t.keep.comma)}\n`;
}

/** A text of a document in Markdown, where it must be nothing but text. */
const escaped = (text: string) => text.replace(/[\\`*_{}[\]<>()#+\-.!|~&]/g, '\\$&');

/** A path of either kind of system as a link. */
export function fileUrl(path: string): string {
  const parts = path.replace(/\\/g, '/').split('/').map(encodeURIComponent);
  return `file://${/^[A-Za-z]:/.test(path) ? '/' : ''}${parts.join('/').replace('%3A', ':')}`;
}

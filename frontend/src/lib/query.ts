import type { QueryFilter } from './api';
import type { Format } from './format';
import type { Dictionary } from './i18n/index.svelte';

/** What a filter asks for, in words. Languages and days are written as the analyst's own language writes them. */
export function filterText(filter: QueryFilter, t: Dictionary, f: Format, locale: string): string {
  const kind = t.syntax.kinds[filter.kind];
  if (!kind) return filter.value;
  const what = kind(valueOf(filter, f, locale));
  return filter.not && filter.kind !== 'word' ? t.syntax.not(what) : what;
}

function valueOf(filter: QueryFilter, f: Format, locale: string): string {
  if (filter.date) return f.date(new Date(`${filter.date}T00:00:00`));
  const names = filter.languages ? new Intl.DisplayNames(locale, { type: 'language' }) : undefined;
  if (names) return [...new Set(filter.languages!.map((tag) => names.of(tag) ?? tag))].join(', ');
  return filter.value;
}

import type { domain } from '../../../wailsjs/go/models';
import { list } from './call';

type SearchResponse = domain.SearchResponse;

/** An answer with an empty list where Go has a nil one. */
export const responseOf = (r: SearchResponse): SearchResponse => ({
  ...r,
  hits: list(r.hits).map((h) => ({
    ...h,
    highlights: list(h.highlights),
    more: list(h.more),
    also: list(h.also),
    duplicates: list(h.duplicates),
  })),
  filters: list(r.filters),
  stages: list(r.stages),
  degraded: list(r.degraded),
  rerank: { ...r.rerank, steps: list(r.rerank.steps) },
});

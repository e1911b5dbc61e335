import type { Hit, RerankTrace, SearchResponse, Step } from './api';
import type { Format } from './format';
import { word, type Dictionary } from './i18n/index.svelte';

/** What reranking has done with a hit. */
export type Standing =
  | 'waiting' // not reached yet
  | 'not reranked'
  | 'up'
  | 'down'
  | 'stayed';

export function standing(hit: Pick<Hit, 'score_kind' | 'rerank_delta'>, partial: boolean): Standing {
  const { rerank_delta: delta } = hit;
  if (hit.score_kind === 'rank' || delta == null) return partial ? 'waiting' : 'not reranked';
  if (delta === 0) return 'stayed';
  return delta > 0 ? 'up' : 'down';
}

/** The rank that reranking gave a hit, variety apart; undefined where it was not reranked. */
export function rerankedRank(hit: Pick<Hit, 'ranks' | 'rerank_delta'>): number | undefined {
  const { fused } = hit.ranks;
  return fused == null || hit.rerank_delta == null ? undefined : fused - hit.rerank_delta;
}

/** How the order came about beside its ranker, one sentence each; what the backend says itself is not among them. */
export function account(trace: RerankTrace, t: Dictionary, f: Format): string[] {
  const said: (string | false)[] = [
    trace.candidates_in > 0 && t.scored(f.integer(trace.candidates_out), f.integer(trace.candidates_in)),
    trace.hedged && t.hedged(word(t.backends, trace.backend)),
    trace.stage2_n > 0 && t.cascade(f.integer(trace.stage1_n), f.integer(trace.stage2_n)),
    trace.early_exit && t.earlyExit(f.integer(trace.stage1_n)),
    trace.mmr_applied && t.mmrApplied(f.score(trace.mmr_lambda ?? 1)),
    trace.elapsed_ms > 0 && t.rerankTook(f.ms(trace.elapsed_ms)),
  ];
  return said.filter((s) => s !== false);
}

/** How well two rerankers agree, as far as it is known. */
export function agreement(
  c: { pairs: number; kendall_tau?: number | null; top5_overlap?: number | null },
  t: Dictionary,
  f: Format,
): string[] {
  return [
    t.pairs(c.pairs, f.integer(c.pairs)),
    c.kendall_tau == null ? '' : t.tau(f.score(c.kendall_tau)),
    c.top5_overlap == null ? '' : t.top5(f.percent(c.top5_overlap)),
  ].filter(Boolean);
}

/** In whose place the ranker served, and why in a word or two; empty where it is the one that was wanted. */
export function fallback({ fell_back_from: from, steps }: RerankTrace, t: Dictionary): string {
  if (!from) return '';
  const step = steps.find((s) => s.backend === from);
  return t.fellBack(word(t.backends, from), step ? word(t.codes, step.code) : '');
}

/** The marks beside the ranker's name, short: what is unusual about this order. */
export function marks(trace: RerankTrace, t: Dictionary, f: Format): { text: string; note: string }[] {
  const out: { text: string; note: string }[] = [];
  const instead = fallback(trace, t);
  if (instead) out.push({ text: instead, note: trace.reason });
  if (trace.hedged) out.push({ text: t.raced, note: t.hedged(word(t.backends, trace.backend)) });
  if (trace.early_exit) out.push({ text: t.early, note: t.earlyExit(f.integer(trace.stage1_n)) });
  if (trace.mmr_applied) out.push({ text: t.stages.mmr, note: t.mmrApplied(f.score(trace.mmr_lambda ?? 1)) });
  if (trace.calibration?.applied)
    out.push({ text: t.calibrated, note: calibratedOn(trace.calibration.pairs, t, f) });
  return out;
}

/** Why rerankers were passed over: every step, and the reason where no step gives it. */
export function passedOver(trace: RerankTrace): { steps: Step[]; reason: string } {
  const told = trace.steps.map((s) => s.reason).join(' ');
  return { steps: trace.steps, reason: told.includes(trace.reason) ? '' : trace.reason };
}

/** What to say above the list: whether anything clearly matches, and how that was measured. */
export function verdictLine(response: SearchResponse, t: Dictionary, f: Format): string {
  const { verdict, rerank, hits } = response;
  if (response.partial) {
    return rerank.candidates_in > 0
      ? t.soFar(f.integer(rerank.candidates_out), f.integer(rerank.candidates_in))
      : t.soFarFused;
  }
  const count = t.results(hits.length, f.integer(hits.length));
  if (response.method === 'list' && hits.length > 0) return `${count}. ${t.syntax.listed}`;
  if (verdict.clear) return count;
  return [
    t.noMatch,
    verdict.best != null && verdict.threshold != null
      ? t.bestOf(f.score(verdict.best), f.score(verdict.threshold))
      : '',
    rerank.calibration?.applied ? calibratedOn(rerank.calibration.pairs, t, f) : '',
  ]
    .filter(Boolean)
    .join(' ');
}

const calibratedOn = (pairs: number, t: Dictionary, f: Format) =>
  t.calibratedOn(t.pairs(pairs, f.integer(pairs)));

/** The other files that say the same, each once and with its best passage. */
export function otherFiles<T extends { document_id: number }>(duplicates: T[]): T[] {
  const seen = new Set<number>();
  return duplicates.filter((d) => !seen.has(d.document_id) && seen.add(d.document_id));
}

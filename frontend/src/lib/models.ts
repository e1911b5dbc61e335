import type { Component, DeviceTest, Doctor, ModelProgress, ModelStatus, ModelWork } from './api';
import type { Format } from './format';
import type { Dictionary } from './i18n/index.svelte';
import { word } from './i18n/index.svelte';
import type { Ending } from './state/models.svelte';

/** The models with what only loading them has shown: one whose files are all right may still not run. */
export function withFaults(list: ModelStatus[], report: Doctor | undefined): ModelStatus[] {
  return list.map((m) => {
    const tried = report?.models.find((r) => r.name === m.name);
    return m.state === 'installed' && tried && tried.state !== 'installed' ? tried : m;
  });
}

export type Group = { role: string; models: ModelStatus[] };

const roles = ['reranker', 'embedder', 'runtime'];
const tiers = ['precise', 'fast', 'starter'];

/** The models by what they do, the most precise first. */
export function groups(list: ModelStatus[]): Group[] {
  const others = [...new Set(list.map((m) => m.role))].filter((role) => !roles.includes(role));
  const place = (m: ModelStatus) => (tiers.includes(m.tier) ? tiers.indexOf(m.tier) : tiers.length);
  return [...roles, ...others]
    .map((role) => ({
      role,
      models: list.filter((m) => m.role === role).sort((a, b) => place(a) - place(b)),
    }))
    .filter((g) => g.models.length > 0);
}

export type Action = 'get' | 'continue' | 'again' | 'import' | 'verify' | 'remove';

/** Whether an action brings a model from where it can be had. */
export const fetches = (action: Action) => action === 'get' || action === 'continue' || action === 'again';

/** What can be done with a model, the likeliest first. */
export function actions(m: ModelStatus): Action[] {
  const fetched = (action: Action): Action => (m.sources.length > 0 && !m.custom ? action : 'import');
  switch (m.state) {
    case 'installed':
    case 'refused':
      return ['verify', 'remove'];
    case 'incomplete':
      return [fetched('continue'), 'remove'];
    case 'damaged':
      return [fetched('again'), 'verify', 'remove'];
    default:
      return [fetched('get')];
  }
}

/** How much of a work is done, of 1; undefined while that is not known. */
export function share({ done, total, phase }: ModelProgress): number | undefined {
  const counts =
    phase === 'downloading' || phase === 'converting' || phase === 'packing' || phase === 'checking';
  return counts && total > 0 ? Math.min(1, done / total) : undefined;
}

/** What a work says of itself: what it does, how far it is, how fast and how long yet; of a stalled one that nothing arrives. */
export function progressFacts(
  { kind, progress }: ModelWork,
  stalled: boolean,
  t: Dictionary,
  f: Format,
): string[] {
  const m = t.models;
  const facts = [word(m.phases, progress.phase || kind)];
  if (progress.done > 0 && progress.total > 0)
    facts.push(m.ofBytes(f.bytes(progress.done), f.bytes(progress.total)));
  else if (progress.done > 0) facts.push(f.bytes(progress.done));
  if (stalled) return [...facts, m.stalled];
  if (progress.rate > 0) facts.push(m.byteRate(f.bytes(progress.rate)));
  if (progress.remaining > 0) facts.push(t.timeLeft(f.duration(progress.remaining)));
  return facts;
}

/** The same for those who listen: it changes with every quarter, not with every byte. */
export function progressSaid({ kind, name, progress }: ModelWork, t: Dictionary, f: Format): string {
  const part = share(progress);
  const said = [word(t.models.phases, kind), name];
  if (part !== undefined) said.push(f.percent(Math.floor(part * 4) / 4));
  return said.filter(Boolean).join(' · ');
}

/** A model's name, or of a reranker what it is, for a sentence: "the precise reranker". */
export function rankerName(component: Component, list: ModelStatus[], t: Dictionary): string {
  const [, backend, model] = /^([a-z-]+) \((.+)\)$/.exec(component.name) ?? [];
  const tier = list.find((m) => m.name === model && m.role === 'reranker')?.tier ?? '';
  if (!backend) return component.name;
  return word(t.models.reranker, Object.hasOwn(t.models.reranker, tier) ? tier : backend);
}

/** Seconds and the like of a self-test, in words. */
export function speed(test: DeviceTest, t: Dictionary, f: Format): string {
  const rate = test.role === 'embedder' ? t.models.textRate : t.models.pairRate;
  return `${rate(f.rate(test.per_second))} ${t.models.tokensEach(f.integer(test.tokens))}`;
}

/** One sentence about how a work ended. */
export type Said = { text: string; bad: boolean };

export function said({ kind, name, how, imported, packed, checked }: Ending, t: Dictionary, f: Format): Said {
  const m = t.models;
  if (how !== 'done') return { text: how === 'stopped' ? m.stopped : m.failed, bad: how === 'failed' };
  const counted = (say: (n: number, shown: string) => string, n: number) => say(n, f.integer(n));
  switch (kind) {
    case 'get':
      return { text: m.got(name), bad: false };
    case 'remove':
      return { text: m.removed(name), bad: false };
    case 'pack':
      return { text: m.packed(f.bytes(packed?.bytes ?? 0)), bad: false };
    case 'import': {
      const good = imported?.filter((i) => !i.reason) ?? [];
      return good.length > 0
        ? { text: m.imported(f.integer(good.length)), bad: false }
        : { text: m.importedNone, bad: true };
    }
    case 'verify': {
      const bad = checked?.filter((c) => c.state !== 'installed') ?? [];
      if (name) return { text: (bad.length > 0 ? m.checkedOneBad : m.checkedOne)(name), bad: bad.length > 0 };
      return bad.length > 0
        ? { text: counted(m.checkedBad, bad.length), bad: true }
        : { text: counted(m.checkedAll, checked?.length ?? 0), bad: false };
    }
  }
}

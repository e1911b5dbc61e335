import type { SettingState } from './api';

/** The groups of the screen of settings, each with its settings in order; what is in none of them comes last. */
export const groups = {
  network: [
    'offline',
    'cohere_model',
    'cohere_url',
    'cohere_deadline',
    'cohere_hedge',
    'cohere_calls_per_minute',
    'cohere_max_tokens',
  ],
  search: [
    'candidates',
    'top',
    'per_document',
    'fusion',
    'lexical_weight',
    'mmr',
    'threshold_cohere',
    'threshold_cross_encoder',
    'threshold_late_interaction',
  ],
  machine: ['rerank', 'local_tier', 'local_budget', 'early_exit', 'device'],
  reading: ['ocr', 'tesseract'],
  kept: ['history', 'history_length', 'drill_days', 'ledger_texts', 'otlp_endpoint'],
  sources: ['model_mirrors', 'model_hub', 'package_index', 'npm_registry'],
} as const;

export type Group = keyof typeof groups | 'other';

/** The settings by group; a group without any is not there. */
export function grouped(all: SettingState[]): { group: Group; settings: SettingState[] }[] {
  const rest = new Map(all.map((s) => [s.name, s]));
  const take = (name: string) => {
    const setting = rest.get(name);
    rest.delete(name);
    return setting ? [setting] : [];
  };
  const known = Object.entries(groups).map(([group, names]) => ({
    group: group as Group,
    settings: names.flatMap(take),
  }));
  return [...known, { group: 'other' as const, settings: [...rest.values()] }].filter(
    (g) => g.settings.length > 0,
  );
}

/** Whether every word of a filter is in one of the texts, whatever the case and the digits. */
export function matches(filter: string, texts: string[]): boolean {
  const text = latinDigits(texts.join('\n').toLowerCase());
  return latinDigits(filter.toLowerCase())
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** A number as it is typed, in the digits of a language: no separators, so that it can be typed back. */
export function localDigits(text: string, locale: string): string {
  const format = new Intl.NumberFormat(locale, { useGrouping: false });
  const point = format.formatToParts(0.5).find((p) => p.type === 'decimal')?.value ?? '.';
  return text.replace(/\d/g, (d) => format.format(Number(d))).replace('.', point);
}

/** The same in Latin digits, as the program reads it. */
export function latinDigits(text: string): string {
  return text
    .replace(/[۰-۹]/g, (d) => String(d.charCodeAt(0) - 0x06f0))
    .replace(/[٠-٩]/g, (d) => String(d.charCodeAt(0) - 0x0660))
    .replace(/٫/g, '.')
    .replace(/٬/g, '');
}

const unitSeconds: Record<string, number> = { h: 3600, m: 60, s: 1, ms: 0.001 };

/** A time of the program ("1m30s") in seconds, as text; what is no such time stays as it is. */
export function seconds(time: string): string {
  const parts = [...time.matchAll(/([\d.]+)(ms|h|m|s)/g)];
  if (parts.length === 0 || parts.map((p) => p[0]).join('') !== time) return time;
  const sum = parts.reduce((all, [, n, unit]) => all + Number(n) * unitSeconds[unit!]!, 0);
  return String(Math.round(sum * 1e6) / 1e6);
}

/** Seconds, or a time with its unit, as the program reads it. */
export function time(typed: string): string {
  const text = latinDigits(typed).trim();
  return /^[\d.]+$/.test(text) ? `${text}s` : text;
}

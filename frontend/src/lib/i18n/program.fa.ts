import { translator } from '../sentences';
import { isolated } from '../text/isolate';
import { sentences } from './sentences.fa';

const digits = (n: string) => Number(n).toLocaleString('fa-IR', { useGrouping: false });
const units = { h: 'ساعت', m: 'دقیقه', s: 'ثانیه', ms: 'میلی‌ثانیه' };

/**
 * A part that varies: a number or a length of time (2s, 1m30s) in Persian digits; anything else, which may be in another
 * direction, is kept in one piece, such as a name or a path.
 */
function varying(text: string): string {
  if (/^\d+$/.test(text)) return digits(text);
  if (/^(?:\d+(?:\.\d+)?(?:h|ms|m|s))+$/.test(text))
    return [...text.matchAll(/([\d.]+)(h|ms|m|s)/g)]
      .map(([, n, unit]) => `${digits(n!)} ${units[unit as keyof typeof units]}`)
      .join(' و ');
  return isolated(text);
}

/** What the program says, in Persian. */
export const sentence = translator(sentences, varying);

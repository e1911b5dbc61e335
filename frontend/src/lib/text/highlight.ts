// Highlights come as byte ranges of the passage's UTF-8 text; the window works with UTF-16 strings.

/** A half-open range of a string, in UTF-16 code units. */
export type Range = { start: number; end: number };

/** A run of text that is all highlighted or all not. */
export type Segment = { text: string; mark: boolean };

/**
 * Converts sorted byte ranges of a text's UTF-8 form to ranges of the string. An offset inside a
 * character takes the whole character in; what lies outside the text is cut off; ranges that touch or
 * overlap are joined.
 */
export function toRanges(text: string, bytes: readonly (readonly number[])[]): Range[] {
  const ranges: Range[] = [];
  let index = 0; // UTF-16
  let byte = 0; // UTF-8, of the same place
  const seek = (target: number, roundUp: boolean): number => {
    while (index < text.length && byte < target) {
      const code = text.codePointAt(index)!;
      const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
      if (!roundUp && byte + size > target) break;
      byte += size;
      index += code < 0x10000 ? 1 : 2;
    }
    return index;
  };
  for (const pair of bytes) {
    const [from, to] = pair;
    if (from === undefined || to === undefined || to <= from) continue;
    const start = seek(from, false);
    const end = seek(to, true);
    const last = ranges.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else if (end > start) ranges.push({ start, end });
  }
  return ranges;
}

/** Cuts the window of a text into highlighted and plain runs; joined, they are exactly the window. */
export function segments(
  text: string,
  marks: readonly Range[],
  window: Range = { start: 0, end: text.length },
): Segment[] {
  const out: Segment[] = [];
  const push = (start: number, end: number, mark: boolean) => {
    if (end > start) out.push({ text: text.slice(start, end), mark });
  };
  let at = window.start;
  for (const m of marks) {
    const start = Math.max(m.start, at);
    const end = Math.min(m.end, window.end);
    if (end <= start) continue;
    push(at, start, false);
    push(start, end, true);
    at = end;
  }
  push(at, window.end, false);
  return out;
}

/**
 * The part of a text to show first: at most about `max` long, on word boundaries, placed where the
 * most highlights are. A text that nearly fits is shown whole.
 */
export function excerpt(text: string, marks: readonly Range[], max: number): Range {
  if (text.length <= max * 1.25) return { start: 0, end: text.length };
  const lead = Math.floor(max / 5); // context before the first highlight of the window
  let best = 0;
  let bestCount = 0;
  for (const m of marks) {
    const from = Math.max(0, Math.min(m.start - lead, text.length - max));
    const count = marks.filter((o) => o.start >= from && o.end <= from + max).length;
    if (count > bestCount) [best, bestCount] = [from, count];
  }
  return { start: wordStart(text, best, marks), end: wordEnd(text, best + max, marks) };
}

function wordStart(text: string, at: number, marks: readonly Range[]): number {
  if (at <= 0) return 0;
  const space = text.slice(at, at + 40).search(/\s/);
  const start = space < 0 ? surrogateSafe(text, at) : at + space + 1;
  const cut = marks.find((m) => m.start < start && start < m.end);
  return cut ? cut.start : start;
}

function wordEnd(text: string, at: number, marks: readonly Range[]): number {
  if (at >= text.length) return text.length;
  const space = Math.max(text.lastIndexOf(' ', at), text.lastIndexOf('\n', at));
  const end = space > at - 40 ? space : surrogateSafe(text, at);
  const cut = marks.find((m) => m.start < end && end < m.end);
  return cut ? cut.end : end;
}

/** Moves a cut that would fall inside a surrogate pair to before it. */
function surrogateSafe(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

// Reads sentences out of Go source, for the test that every one of them is known in the window's languages.

/** Where a sentence for people begins in Go source: what comes before its first string. */
export type Sink = RegExp;

const string = /^(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`)/;

/** A part that varies. */
export const part = '\u2026';

/** The string expressions after a sink, joined, with a mark in place of each part that varies. */
export function sentencesIn(source: string, sinks: Sink[]): string[] {
  const found: string[] = [];
  for (const sink of sinks)
    for (const match of source.matchAll(new RegExp(sink, 'g'))) {
      const said = expression(source.slice(match.index + match[0].length));
      if (said !== undefined) found.push(said);
    }
  return found;
}

/** What errors at the edge say, and what to do about them: the arguments of domain.Errorf. */
export function errorsIn(source: string): { code: string; hint?: string; message?: string }[] {
  return [...source.matchAll(/\bdomain\.Errorf\(/g)].map((match) => {
    const [code = '', hint = '', message = ''] = argumentsOf(source.slice(match.index + match[0].length));
    return { code, hint: expression(hint), message: expression(message) };
  });
}

/** The arguments of a call, up to its closing bracket. */
function argumentsOf(source: string): string[] {
  const out = [''];
  let depth = 0;
  for (let at = 0; at < source.length; at++) {
    const literal = string.exec(source.slice(at))?.[0];
    const c = literal ?? source[at]!;
    if (c === ')' && depth === 0) break;
    if ('([{'.includes(c)) depth++;
    if (')]}'.includes(c)) depth--;
    if (c === ',' && depth === 0) out.push('');
    else out[out.length - 1] += c;
    at += c.length - 1;
  }
  return out.map((argument) => argument.trim());
}

function expression(source: string): string | undefined {
  let rest = source.replace(/^\s+/, '').replace(/^fmt\.(?:Sprintf|Errorf)\(\s*/, '');
  let out = '';
  let strings = 0;
  for (;;) {
    const literal = string.exec(rest);
    if (literal) {
      out += verbs(JSON.parse(`"${(literal[1] ?? '').replace(/\\x[0-9a-f]{2}/g, '?')}"`) as string);
      rest = rest.slice(literal[0].length);
      strings++;
    } else {
      const length = operand(rest);
      if (length === 0) return undefined;
      out += part;
      rest = rest.slice(length);
    }
    const plus = /^\s*\+\s*/.exec(rest);
    if (!plus) return strings > 0 ? out.trim() : undefined;
    rest = rest.slice(plus[0].length);
  }
}

/** How long an operand of + is: up to the next one, or to what ends the expression. */
function operand(source: string): number {
  let depth = 0;
  for (let at = 0; at < source.length; at++) {
    const c = source[at]!;
    if (depth === 0 && /[+,)}\n]/.test(c)) return source.slice(0, at).trim() === '' ? 0 : at;
    if ('([{'.includes(c)) depth++;
    if (')]}'.includes(c)) depth--;
  }
  return 0;
}

/** The verbs of a format are parts that vary. */
const verbs = (format: string) =>
  format.replace(/%(%|[-+#0-9.\[\]]*[a-zA-Z])/g, (_, verb) => (verb === '%' ? '%' : part));

import { describe, expect, it } from 'vitest';
import css from '../app.css?raw';

// The contrast of the tokens in app.css, by WCAG 2.2: 4.5 to 1 for text (1.4.3), 3 to 1 for what has to be seen to
// understand or use something (1.4.11). The browser tests check the pairs that really meet; this says which may.

function tokens(selector: string): Record<string, string> {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(start, css.indexOf('}', start));
  return Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((m) => [m[1], m[2]]));
}

function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

const grounds = ['paper', 'surface', 'sunken', 'accent-soft', 'bad-soft'];
const text = ['ink', 'ink-2', 'ink-3', 'accent', 'good', 'bad'];
// The ring around what has the focus, progress, dots and bars of scores. The stages of a search are not among them:
// a table says the same in words.
const shapes = ['accent-fill', 'rank-fill'];

const pairs: [front: string, ground: string, least: number][] = [
  ...text.flatMap((front) => grounds.map((ground): [string, string, number] => [front, ground, 4.5])),
  ...shapes.flatMap((front) => grounds.map((ground): [string, string, number] => [front, ground, 3])),
  ['mark-ink', 'mark', 4.5],
  ['on-accent', 'accent', 4.5],
];

describe.each([
  ['light', ':root'],
  ['dark', ":root[data-theme='dark']"],
])('in the %s theme', (_, selector) => {
  const colours = tokens(selector);

  it.each(pairs)('%s stands out on %s, %d to 1', (front, ground, least) => {
    expect(contrast(colours[front]!, colours[ground]!)).toBeGreaterThanOrEqual(least);
  });
});

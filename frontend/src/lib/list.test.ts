import { describe, expect, it } from 'vitest';
import type { Press } from './keys';
import { asksForBox, move, type Move } from './list';

describe('moving among results', () => {
  it.each<[string, number | 'box', number, Move]>([
    ['ArrowDown', 'box', 3, 0],
    ['ArrowDown', 'box', 0, undefined],
    ['ArrowUp', 'box', 3, undefined],
    ['Enter', 'box', 3, undefined],
    ['ArrowDown', 0, 3, 1],
    ['ArrowDown', 2, 3, 2],
    ['ArrowUp', 2, 3, 1],
    ['ArrowUp', 0, 3, 'box'],
    ['Home', 2, 3, 0],
    ['End', 0, 3, 2],
    ['Escape', 1, 3, 'box'],
    ['a', 1, 3, undefined],
  ])('%s from %s of %i', (key, from, count, want) => expect(move(key, from, count)).toBe(want));
});

describe('asking for the box', () => {
  const press = { key: '', code: '', ctrlKey: false, metaKey: false, altKey: false };
  it.each<[string, Partial<Press> & { typing?: boolean }, boolean]>([
    ['slash', { key: '/' }, true],
    ['slash while typing', { key: '/', typing: true }, false],
    ['slash by its place, Persian layout', { key: 'ظ', code: 'Slash' }, true],
    ['Ctrl-K', { key: 'k', ctrlKey: true }, true],
    ['Ctrl-K while typing', { key: 'k', ctrlKey: true, typing: true }, true],
    ['Cmd-K', { key: 'k', metaKey: true }, true],
    ['Ctrl-K on a Persian layout', { key: 'ن', code: 'KeyK', ctrlKey: true }, true],
    ['the sheet of keys, on a Persian layout', { key: '؟', code: 'Slash', shiftKey: true }, false],
    ['k alone', { key: 'k' }, false],
    ['AltGr', { key: 'k', ctrlKey: true, altKey: true }, false],
  ])('%s', (_, { typing = false, ...keys }, want) =>
    expect(asksForBox({ ...press, ...keys }, typing)).toBe(want),
  );
});

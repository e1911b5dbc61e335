import { describe, expect, it } from 'vitest';
import { chord, groupsOfKeys, pressed, written, type Press } from './keys';

const press = (keys: Partial<Press>): Press => ({
  ...{ key: '', code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false },
  ...keys,
});

describe('the keys', () => {
  it.each([
    ['c', press({ key: 'c', code: 'KeyC' }), true],
    ['c on a Persian layout', press({ key: 'ز', code: 'KeyC' }), true],
    ['Ctrl Shift C', press({ key: 'C', code: 'KeyC', ctrlKey: true, shiftKey: true }), true],
    ['Ctrl C, which copies what is selected', press({ key: 'c', code: 'KeyC', ctrlKey: true }), false],
    ['Alt C', press({ key: 'c', code: 'KeyC', altKey: true }), false],
  ])('of a quotation: %s', (_, keys, want) => expect(pressed('quote', keys)).toBe(want));

  it.each([
    ['?', press({ key: '?', code: 'Slash', shiftKey: true }), true, false],
    ['؟', press({ key: '؟', code: 'Slash', shiftKey: true }), true, false],
    ['? of another layout', press({ key: '?', code: 'Minus', shiftKey: true }), true, false],
    ['/', press({ key: '/', code: 'Slash' }), false, true],
    ['F1', press({ key: 'F1', code: 'F1' }), true, false],
  ])('of the sheet and of the box: %s', (_, keys, sheet, box) =>
    expect([pressed('sheet', keys), pressed('box', keys)]).toEqual([sheet, box]),
  );

  it('go with the direction of reading', () => {
    const right = press({ key: 'ArrowRight', code: 'ArrowRight' });
    expect([pressed('pane', right, 'ltr'), pressed('leavePane', right, 'rtl')]).toEqual([true, true]);
    expect([written('pane', 'ltr'), written('pane', 'rtl')]).toEqual([[['→']], [['←']]]);
  });

  it('are all on the sheet, as they are written on them', () => {
    const all = groupsOfKeys.flatMap(({ names }) => names);
    expect(new Set(all).size).toBe(all.length); // a name is that of one key
    for (const name of all)
      expect(written(name, 'ltr').flat().join(''), name).toMatch(/^[A-Z0-9a-z?/↑↓→←]+$/);
    expect(written('quote', 'ltr')).toEqual([['C'], ['Ctrl', 'Shift', 'C']]);
    expect(written('box', 'ltr')).toEqual([['Ctrl', 'K'], ['/']]);
    expect(chord('screen', press({ code: 'Digit2', ctrlKey: true }))).toBe(1);
  });
});

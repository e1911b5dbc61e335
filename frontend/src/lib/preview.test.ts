import { describe, expect, it } from 'vitest';
import { asked, pictureWidth, placeOf, scrollTo, type Asked } from './preview';

const press = (key: string, code = '', ctrlKey = false) => ({
  key,
  code,
  ctrlKey,
  metaKey: false,
  altKey: false,
});

describe('the keys of the preview', () => {
  it.each<[string, ReturnType<typeof press>, 'list' | 'pane', boolean, 'ltr' | 'rtl', Asked]>([
    ['space opens', press(' '), 'list', false, 'ltr', 'toggle'],
    ['the arrow to the pane opens', press('ArrowRight'), 'list', false, 'ltr', 'open'],
    ['and enters', press('ArrowRight'), 'list', true, 'ltr', 'enter'],
    ['it points the other way in Persian', press('ArrowLeft'), 'list', false, 'rtl', 'open'],
    ['where the other one is not ours', press('ArrowRight'), 'list', false, 'rtl', undefined],
    ['the other one leaves', press('ArrowLeft'), 'pane', true, 'ltr', 'leave'],
    ['Esc closes from the list', press('Escape'), 'list', true, 'ltr', 'close'],
    ['and is the list’s where nothing is open', press('Escape'), 'list', false, 'ltr', undefined],
    ['n is a place on the keyboard', press('د', 'KeyN'), 'pane', true, 'rtl', 'next'],
    ['p too', press('ح', 'KeyP'), 'list', true, 'rtl', 'previous'],
    ['no letter while it is closed', press('n', 'KeyN'), 'list', false, 'ltr', undefined],
    ['with Ctrl it is somebody else’s', press('p', 'KeyP', true), 'pane', true, 'ltr', undefined],
  ])('%s', (_, event, from, open, dir, want) => {
    expect(asked(event, from, open, dir)).toBe(want);
  });
});

describe('a page', () => {
  it('is asked for in steps, within bounds', () => {
    expect(pictureWidth(590, 1)).toBe(600);
    expect(pictureWidth(601, 1)).toBe(800);
    expect(pictureWidth(590, 3)).toBe(1600);
    expect(pictureWidth(0, 1)).toBe(200);
  });

  it('shows its first box a quarter down the view', () => {
    const boxes = [
      { x: 0, y: 0.6, w: 1, h: 0.1 },
      { x: 0, y: 0.5, w: 1, h: 0.1 },
    ];
    expect(scrollTo(boxes, 1000, 400)).toBe(400);
    expect(scrollTo([{ x: 0, y: 0.05, w: 1, h: 0.1 }], 1000, 400)).toBe(0);
    expect(scrollTo([{ x: 0, y: 0.95, w: 1, h: 0.05 }], 1000, 400)).toBe(600);
    expect(scrollTo([], 1000, 400)).toBe(0);
  });

  it('has its boxes in lengths of itself', () => {
    expect(placeOf({ x: 0.25, y: 0, w: 1 / 3, h: 0.5 })).toEqual({
      left: '25.000%',
      top: '0.000%',
      width: '33.333%',
      height: '50.000%',
    });
  });
});

import type { Box } from './api';

/** What a key press asks of the preview: from a result in the list, or from within the pane. */
export type Asked = 'toggle' | 'open' | 'enter' | 'leave' | 'close' | 'next' | 'previous' | undefined;

type Key = { key: string; code: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean };

/**
 * The pane stands at the end of the line: the arrow that points there opens and enters it, the other one leaves it.
 * Letters go by their place on the keyboard, for on a Persian layout they type others.
 */
export function asked(event: Key, from: 'list' | 'pane', open: boolean, dir: 'ltr' | 'rtl'): Asked {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const [forth, back] = dir === 'rtl' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
  if (from === 'list' && event.key === ' ') return 'toggle';
  if (from === 'list' && event.key === forth) return open ? 'enter' : 'open';
  if (!open) return undefined;
  if (from === 'pane' && event.key === back) return 'leave';
  if (event.key === 'Escape') return 'close';
  if (event.code === 'KeyN') return 'next';
  if (event.code === 'KeyP') return 'previous';
  return undefined;
}

/** How wide a picture to ask for: in steps, so that a window being dragged asks for few, and not beyond what is drawn. */
export function pictureWidth(css: number, ratio: number): number {
  return Math.min(1600, Math.max(200, Math.ceil((css * ratio) / 200) * 200));
}

/** Where to scroll to show the first of some boxes: a quarter of the view above it. Of a height in pixels each. */
export function scrollTo(boxes: readonly Box[], sheet: number, view: number): number {
  if (boxes.length === 0) return 0;
  const top = Math.min(...boxes.map((b) => b.y)) * sheet;
  return Math.max(0, Math.min(top - view / 4, sheet - view));
}

/** A box as lengths of its page. */
export function placeOf(box: Box): { left: string; top: string; width: string; height: string } {
  const percent = (share: number) => `${(share * 100).toFixed(3)}%`;
  return { left: percent(box.x), top: percent(box.y), width: percent(box.w), height: percent(box.h) };
}

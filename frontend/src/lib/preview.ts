import type { Box } from './api';
import { pressed, type Press } from './keys';

/** What a key press asks of the preview: from a result in the list, or from within the pane. */
export type Asked = 'toggle' | 'open' | 'enter' | 'leave' | 'close' | 'next' | 'previous' | undefined;

/**
 * The pane stands at the end of the line: the arrow that points there opens and enters it, the other one leaves it.
 */
export function asked(event: Press, from: 'list' | 'pane', open: boolean, dir: 'ltr' | 'rtl'): Asked {
  if (from === 'list' && pressed('preview', event)) return 'toggle';
  if (from === 'list' && pressed('pane', event, dir)) return open ? 'enter' : 'open';
  if (!open) return undefined;
  if (from === 'pane' && pressed('leavePane', event, dir)) return 'leave';
  if (pressed('closePane', event)) return 'close';
  if (pressed('nextMatch', event)) return 'next';
  return pressed('previousMatch', event) ? 'previous' : undefined;
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

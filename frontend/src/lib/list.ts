import { pressed, type Press } from './keys';

/** Where a key leads in a list of `count` results; `box` is the search box above it. */
export type Move = number | 'box' | undefined;

/**
 * Keyboard movement among results. `from` is the focused result, or 'box'. undefined means that the
 * key is not ours and the browser should have it.
 */
export function move(key: string, from: number | 'box', count: number): Move {
  if (count === 0) return undefined;
  const press = { key, code: '', ctrlKey: false, metaKey: false, altKey: false };
  if (from === 'box') return pressed('results', press) ? 0 : undefined;
  if (pressed('next', press)) return Math.min(from + 1, count - 1);
  if (pressed('previous', press)) return from === 0 ? 'box' : from - 1;
  if (pressed('first', press)) return 0;
  if (pressed('last', press)) return count - 1;
  return pressed('leave', press) ? 'box' : undefined;
}

/** Whether a key press asks for the search box, wherever the focus is. */
export function asksForBox(event: Press, typing: boolean): boolean {
  return pressed('box', event) && (!typing || event.ctrlKey || event.metaKey);
}

/** The grade that a key on a result gives it while results are judged. */
export function gradeFor(event: Press): 0 | 1 | 2 | undefined {
  if (pressed('relevant', event)) return 2;
  if (pressed('partly', event)) return 1;
  return pressed('not', event) ? 0 : undefined;
}

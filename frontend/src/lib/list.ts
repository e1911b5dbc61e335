/** Where a key leads in a list of `count` results; `box` is the search box above it. */
export type Move = number | 'box' | undefined;

/**
 * Keyboard movement among results. `from` is the focused result, or 'box'. undefined means that the
 * key is not ours and the browser should have it.
 */
export function move(key: string, from: number | 'box', count: number): Move {
  if (count === 0) return undefined;
  if (from === 'box') return key === 'ArrowDown' ? 0 : undefined;
  switch (key) {
    case 'ArrowDown':
      return Math.min(from + 1, count - 1);
    case 'ArrowUp':
      return from === 0 ? 'box' : from - 1;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    case 'Escape':
      return 'box';
    default:
      return undefined;
  }
}

/** Whether a key press asks for the search box, wherever the focus is. */
export function asksForBox(event: {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  typing: boolean;
}): boolean {
  // By its place on the keyboard too: on a Persian layout the same keys type other letters.
  const k = event.key.toLowerCase() === 'k' || event.code === 'KeyK';
  if (k && (event.ctrlKey || event.metaKey) && !event.altKey) return true;
  const slash = event.key === '/' || (event.code === 'Slash' && event.key.length === 1);
  return slash && !event.typing && !event.ctrlKey && !event.metaKey && !event.altKey;
}

/** The grade that a key on a result gives it while results are judged: 1 relevant, 2 partly, 3 not. */
export function gradeFor(event: {
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}): 0 | 1 | 2 | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  // By its place on the keyboard: on a Persian layout the same keys type other digits.
  const digit = /^(?:Digit|Numpad)([123])$/.exec(event.code)?.[1];
  return digit ? ((3 - Number(digit)) as 0 | 1 | 2) : undefined;
}

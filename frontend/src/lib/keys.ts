import { screens, type Screen } from './state/navigation.svelte';

/** The part of a key press that says which keys it was. */
export type Press = {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey?: boolean;
};

/**
 * Keys that are pressed together. `code` is a place on the keyboard: on a Persian layout the same keys type other letters
 * and digits. Ctrl is Cmd too. Where nothing is said of Shift, it does not count.
 */
type Chord = { key?: string; code?: string; ctrl?: true; shift?: boolean; hidden?: true };

const forth = 'Forward'; // the arrow in the direction of reading
const back = 'Backward';

/**
 * Every key of the window, by where it counts. The handlers ask this table, and the sheet of keys shows it. A chord that is
 * hidden is another way to type the one before it.
 */
export const keys = {
  anywhere: {
    box: [
      { key: 'k', ctrl: true },
      { code: 'KeyK', ctrl: true, hidden: true },
      { key: '/' },
      { code: 'Slash', shift: false, hidden: true },
    ],
    screen: screens.map((_, i) => ({ code: `Digit${i + 1}`, ctrl: true })),
    history: [{ code: 'KeyH', ctrl: true }],
    sheet: [
      { key: '?' },
      { key: '؟', hidden: true },
      { code: 'Slash', shift: true, hidden: true },
      { key: 'F1' },
    ],
  },
  box: { submit: [{ key: 'Enter' }], clear: [{ key: 'Escape' }], results: [{ key: 'ArrowDown' }] },
  list: {
    next: [{ key: 'ArrowDown' }],
    previous: [{ key: 'ArrowUp' }],
    first: [{ key: 'Home' }],
    last: [{ key: 'End' }],
    open: [{ key: 'Enter' }],
    folder: [{ key: 'Enter', ctrl: true }],
    preview: [{ key: ' ' }],
    pane: [{ key: forth }],
    quote: [{ code: 'KeyC' }, { code: 'KeyC', ctrl: true, shift: true }],
    relevant: [{ code: 'Digit1' }, { code: 'Numpad1', hidden: true }],
    partly: [{ code: 'Digit2' }, { code: 'Numpad2', hidden: true }],
    not: [{ code: 'Digit3' }, { code: 'Numpad3', hidden: true }],
    leave: [{ key: 'Escape' }],
  },
  pane: {
    nextMatch: [{ code: 'KeyN' }],
    previousMatch: [{ code: 'KeyP' }],
    leavePane: [{ key: back }],
    closePane: [{ key: 'Escape' }],
  },
  screens: { nextControl: [{ key: 'Tab' }], home: [{ key: 'Escape' }] },
} satisfies Record<string, Record<string, Chord[]>>;

type Groups = typeof keys;
export type KeyGroup = keyof Groups;
export type KeyName = { [G in KeyGroup]: keyof Groups[G] & string }[KeyGroup];

const chords = Object.assign({}, ...Object.values(keys)) as Record<KeyName, Chord[]>;

/** The names of all keys, group by group. */
export const groupsOfKeys = Object.entries(keys).map(([group, names]) => ({
  group: group as KeyGroup,
  names: Object.keys(names) as KeyName[],
}));

/** Which of the chords of a name was pressed; -1: none. */
export function chord(name: KeyName, press: Press, dir: 'ltr' | 'rtl' = 'ltr'): number {
  return chords[name].findIndex((c) => {
    const typed = c.key !== undefined && press.key.toLowerCase() === arrow(c.key, dir).toLowerCase();
    const place = c.code !== undefined && press.code === c.code;
    const ctrl = press.ctrlKey || press.metaKey;
    if (!(typed || place) || press.altKey || ctrl !== (c.ctrl ?? false)) return false;
    return c.shift === undefined || c.shift === (press.shiftKey ?? false);
  });
}

export function pressed(name: KeyName, press: Press, dir: 'ltr' | 'rtl' = 'ltr'): boolean {
  return chord(name, press, dir) >= 0;
}

function arrow(key: string, dir: 'ltr' | 'rtl'): string {
  if (key === forth) return dir === 'ltr' ? 'ArrowRight' : 'ArrowLeft';
  if (key === back) return dir === 'ltr' ? 'ArrowLeft' : 'ArrowRight';
  return key;
}

/** The screen that a key press asks for. */
export function screenFor(press: Press): Screen | undefined {
  return screens[chord('screen', press)];
}

const signs: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  ' ': 'Space',
  Escape: 'Esc',
  k: 'K',
};

/** The keys of a name as they are written on them: a list for each way to press it. */
export function written(name: KeyName, dir: 'ltr' | 'rtl'): string[][] {
  return chords[name]
    .filter((c) => !c.hidden)
    .map((c) => {
      const key = c.key === undefined ? c.code!.replace(/^(Key|Digit)/, '') : arrow(c.key, dir);
      return [...(c.ctrl ? ['Ctrl'] : []), ...(c.shift && c.ctrl ? ['Shift'] : []), signs[key] ?? key];
    });
}

/** The window's screens, in the order of their tabs and of Ctrl and a digit. */
export const screens = ['search', 'collections', 'models', 'measure', 'ledger', 'settings', 'guide'] as const;

export type Screen = (typeof screens)[number];

/** The screen that the window shows. */
export class Navigation {
  screen = $state<Screen>('search');

  go(screen: Screen): void {
    this.screen = screen;
  }
}

/** The screen that a key press asks for: Ctrl and a digit, by its place on the keyboard. */
export function screenFor(event: {
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}): Screen | undefined {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return undefined;
  const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
  return digit ? screens[Number(digit) - 1] : undefined;
}

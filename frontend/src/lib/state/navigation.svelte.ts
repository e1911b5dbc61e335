export type Screen = 'search' | 'models';

/** The screen that the window shows. */
export class Navigation {
  screen = $state<Screen>('search');

  go(screen: Screen): void {
    this.screen = screen;
  }
}

const digits = new Map<string, Screen>([
  ['Digit1', 'search'],
  ['Digit2', 'models'],
]);

/** The screen that a key press asks for: Ctrl and a digit, by its place on the keyboard. */
export function screenFor(event: {
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}): Screen | undefined {
  return (event.ctrlKey || event.metaKey) && !event.altKey ? digits.get(event.code) : undefined;
}

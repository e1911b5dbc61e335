/** The window's screens, in the order of their tabs and of Ctrl and a digit. */
export const screens = ['search', 'collections', 'models', 'measure', 'ledger', 'settings', 'guide'] as const;

export type Screen = (typeof screens)[number];

/** The screen that the window shows. */
export class Navigation {
  screen = $state<Screen>('search');
  /** What lies over the screen. */
  over = $state<'keys' | 'history'>();

  go(screen: Screen): void {
    this.screen = screen;
  }
}

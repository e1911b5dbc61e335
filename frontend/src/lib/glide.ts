const duration = 180;
const easing = 'cubic-bezier(0.215, 0.61, 0.355, 1)';

/** Lets the rows of a list glide from where they stood before an update to where they stand after it. */
export class Glide {
  private stood = new Map<Element, number>();
  private running: Animation[] = [];

  /** Before the update: notes where the rows stand, on their way or not. */
  from(rows: Iterable<Element>): void {
    this.stood = new Map([...rows].map((row) => [row, row.getBoundingClientRect().top]));
  }

  /** After it. All rows are measured before the first one moves, or each measurement would lay the window out anew. */
  go(): void {
    for (const animation of this.running) animation.cancel();
    const moves = [...this.stood]
      .filter(([row]) => row.isConnected)
      .map(([row, top]) => ({ row, by: top - row.getBoundingClientRect().top }));
    this.stood.clear();
    this.running = moves
      .filter(({ by }) => by !== 0)
      .map(({ row, by }) => row.animate({ translate: [`0 ${by}px`, '0 0'] }, { duration, easing }));
  }
}

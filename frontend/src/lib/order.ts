/** A row of a list: known by its passage. */
type Row = { chunk_id: number };

/**
 * The order in which rows are shown while better orders of the same search keep coming. The row that the
 * analyst points at or has selected keeps its place until the last one, so that nothing jumps from under
 * the pointer; the last order is shown as it is.
 */
export class Order<T extends Row> {
  private shown: T[] = [];
  private query: string | undefined;
  private pointed: number | undefined;
  private focused: number | undefined;

  /** The passage whose row stays; undefined: all may move. */
  get held(): number | undefined {
    return this.pointed ?? this.focused;
  }

  /** Whether it is the pointer that holds it. */
  get pointing(): boolean {
    return this.pointed !== undefined;
  }

  /** The pointer has moved on a row, or has left them (undefined). One that only rests points at nothing. */
  point(chunk: number | undefined): void {
    this.pointed = chunk;
  }

  /** A row has the keyboard's focus, or none has (undefined). */
  focus(chunk: number | undefined): void {
    this.focused = chunk;
  }

  /** The rows of an answer as they are to be shown. */
  next(answer: { query: string; partial: boolean; hits: T[] }): T[] {
    if (answer.query !== this.query) {
      this.shown = [];
      this.pointed = undefined; // of another list
    }
    this.query = answer.query;
    this.shown = answer.partial ? pin(this.shown, answer.hits, this.held) : answer.hits;
    return this.shown;
  }
}

/** The rows of `next` with one passage in the place that it has in `shown`, where it is in both. */
export function pin<T extends Row>(shown: Row[], next: T[], chunk: number | undefined): T[] {
  const place = shown.findIndex((r) => r.chunk_id === chunk);
  const row = next.find((r) => r.chunk_id === chunk);
  if (place < 0 || !row) return next;
  const others = next.filter((r) => r !== row);
  return [...others.slice(0, place), row, ...others.slice(place)];
}

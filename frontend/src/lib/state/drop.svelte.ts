/** What happens with files that are dropped on the window, and how it is called. */
export type DropTarget = { label: string; take: (paths: string[]) => void };

/** The screen shown takes what is dropped; where it does not want anything, nothing happens. */
export class Drop {
  target = $state.raw<DropTarget>();

  /** Makes `target` the one that takes, until the returned function is called. */
  to(target: DropTarget | undefined): () => void {
    this.target = target;
    return () => {
      if (this.target === target) this.target = undefined;
    };
  }
}

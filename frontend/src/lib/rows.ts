/** How many frames a row may take to be measured and shown. */
const frames = 20;

/**
 * Gives the focus to a row of a virtual list that was just scrolled to. A row is there at once and can take the focus
 * only when it has been measured.
 */
export async function focusRow(list: HTMLElement | undefined, index: number): Promise<void> {
  for (let frame = 0; frame < frames; frame++) {
    const row = list?.querySelector<HTMLElement>(`[data-index="${index}"]`);
    row?.focus();
    if (row && document.activeElement === row) return;
    await new Promise(requestAnimationFrame);
  }
}

/** The part of the Wails runtime that the window uses; the browser test provides the same. */
type Runtime = {
  EventsOn(event: string, callback: (data: never) => void): () => void;
  OnFileDrop(callback: (x: number, y: number, paths: string[]) => void, useDropTarget: boolean): void;
  OnFileDropOff(): void;
  ClipboardSetText(text: string): Promise<boolean>;
};

declare global {
  interface Window {
    runtime: Runtime;
  }
}

/** Calls back for every event of a name until the returned function is called. */
export function on<T>(event: string, callback: (data: T) => void): () => void {
  return window.runtime.EventsOn(event, callback);
}

/**
 * Calls back with the paths of files and folders dropped on an element whose computed style has
 * `--wails-drop-target: drop`.
 */
export function onDrop(callback: (paths: string[]) => void): () => void {
  window.runtime.OnFileDrop((_x, _y, paths) => callback(paths), true);
  return () => window.runtime.OnFileDropOff();
}

/** Puts text into the clipboard; whether it is there. */
export const copy = (text: string): Promise<boolean> => window.runtime.ClipboardSetText(text);

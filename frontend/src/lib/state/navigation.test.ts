import { describe, expect, it } from 'vitest';
import { screenFor } from '../keys';
import { screens } from './navigation.svelte';

describe('the screen of a key', () => {
  const plain = { key: '', code: 'Digit2', ctrlKey: false, metaKey: false, altKey: false };
  it.each([
    ['nothing held', plain, undefined],
    ['Ctrl', { ...plain, ctrlKey: true }, screens[1]],
    ['Cmd', { ...plain, metaKey: true }, screens[1]],
    ['Ctrl and Alt, which types letters', { ...plain, ctrlKey: true, altKey: true }, undefined],
    ['the first', { ...plain, ctrlKey: true, code: 'Digit1' }, 'search'],
    ['another digit', { ...plain, ctrlKey: true, code: 'Digit9' }, undefined],
    ['what every object has', { ...plain, ctrlKey: true, code: 'toString' }, undefined],
  ])('%s', (_, event, want) => expect(screenFor(event)).toBe(want));
});

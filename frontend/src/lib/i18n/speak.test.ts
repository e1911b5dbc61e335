import { expect, it, vi } from 'vitest';
import './en';
import { I18n } from './index.svelte';

/** A little Persian, which is there only when it is let in. */
const persian = vi.hoisted(() => {
  let arrive = () => {};
  const there = new Promise<void>((resolve) => (arrive = resolve));
  return { there, arrive };
});
vi.mock('./fa', async () => {
  await persian.there;
  return { fa: { appName: 'فانوس' }, sentence: () => 'جمله' };
});

it('speaks the language that was asked for last, whichever is there first', async () => {
  const i18n = await I18n.speaking('en', 'local');
  const late = i18n.speak('fa');
  await i18n.speak('en');
  persian.arrive();
  await late;
  expect(i18n.language).toBe('en');
});

it('goes over to another language at once, with everything it has', async () => {
  const i18n = await I18n.speaking('en', 'local');
  expect([i18n.language, i18n.dir, i18n.t.appName]).toEqual(['en', 'ltr', 'Fanous']);
  expect(i18n.f.integer(12)).toBe('12');
  expect(i18n.sentence('The offline switch is on.'), 'English is what the program speaks').toBeUndefined();

  await i18n.speak('fa');
  expect([i18n.language, i18n.dir, i18n.t.appName]).toEqual(['fa', 'rtl', 'فانوس']);
  expect(i18n.f.integer(12)).toBe('۱۲');
  expect(i18n.sentence('The offline switch is on.')).toBe('جمله');
});

it('keeps its digits in another language', async () => {
  const i18n = await I18n.speaking('fa', 'latin');
  expect(i18n.f.integer(12)).toBe('12');
});

import { describe, expect, it } from 'vitest';
import { ApiError, type ProgramSettings, type SettingChange, type SettingState } from '../api';
import { Program } from './program.svelte';

const setting = (value: string, from: string) => ({ name: 'top', value, from }) as SettingState;
const answer = (s: SettingState) => ({ list: [s] }) as ProgramSettings;

function fake() {
  const asked: SettingChange[][] = [];
  const state = { changed: 0, fails: false };
  const change = (changes: SettingChange[]) => {
    asked.push(changes);
    const [one] = changes;
    return state.fails
      ? Promise.reject(new ApiError('usage', 'top is 0', 'give a number'))
      : Promise.resolve(answer(setting(one!.reset ? '5' : one!.value, one!.reset ? 'default' : 'settings')));
  };
  const program = new Program(
    {
      settings: () => Promise.resolve(answer(setting('5', 'default'))),
      changeSettings: change,
      setKey: () => Promise.resolve(answer(setting('5', 'default'))),
      reloadSettings: () => Promise.resolve(answer(setting('5', 'default'))),
    },
    () => state.changed++,
  );
  return { program, asked, state };
}

describe('the settings of the program', () => {
  it('are changed and the last change is taken back, to no setting where there was none', async () => {
    const { program, asked, state } = fake();
    await program.load();
    expect(state.changed).toBe(0);
    await program.change(program.now!.list[0]!, '9');
    expect([program.now?.list[0]?.value, state.changed, program.last?.name]).toEqual(['9', 1, 'top']);
    await program.change(program.now!.list[0]!, '12');
    await program.undo();
    expect(asked.at(-1)).toEqual([{ name: 'top', value: '9', reset: false }]);
    expect(program.last).toBeUndefined();
    await program.reset(program.now!.list[0]!);
    await program.change(program.now!.list[0]!, '7');
    await program.undo();
    expect(asked.at(-1)).toEqual([{ name: 'top', value: '', reset: true }]);
  });

  it('are changed one after the other, none is lost', async () => {
    const { program, asked } = fake();
    await program.load();
    const before = program.now!.list[0]!;
    await Promise.all([program.change(before, '7'), program.change(before, '8')]);
    expect(asked.map(([one]) => one!.value)).toEqual(['7', '8']);
    expect(program.now?.list[0]?.value).toBe('8');
  });

  it('say why a change was refused, until the next one', async () => {
    const { program, asked, state } = fake();
    await program.load();
    state.fails = true;
    await program.change(program.now!.list[0]!, '0');
    expect([program.refused?.name, program.refused?.error.hint, program.now?.list[0]?.value]).toEqual([
      'top',
      'give a number',
      '5',
    ]);
    expect(program.last).toBeUndefined();
    await program.change(program.now!.list[0]!, '5'); // what it is: nothing is asked, nothing is wrong
    expect([program.refused, asked.length, state.changed]).toEqual([undefined, 1, 0]);
  });
});

import { describe, expect, it } from 'vitest';
import { ApiError, type Doctor } from '../api';
import { Devices } from './devices.svelte';

describe('the devices', () => {
  it('are tested once at a time, and again where something changed meanwhile', async () => {
    const asked: boolean[] = [];
    const ends: ((d: Doctor) => void)[] = [];
    const devices = new Devices({
      doctor: (again) => {
        asked.push(again);
        return new Promise((resolve) => ends.push(resolve));
      },
    });
    const run = devices.test(true);
    void devices.test();
    void devices.test();
    expect([asked, devices.testing]).toEqual([[true], true]);
    ends[0]!({ ready: false } as Doctor);
    await Promise.resolve();
    await Promise.resolve();
    expect(asked).toEqual([true, false]);
    ends[1]!({ ready: true } as Doctor);
    await run;
    expect([devices.testing, devices.report?.ready, asked.length]).toEqual([false, true, 2]);
  });

  it('keep what was known when a test fails', async () => {
    let fails = false;
    const devices = new Devices({
      doctor: () =>
        fails
          ? Promise.reject(new ApiError('internal', 'boom', ''))
          : Promise.resolve({ ready: true } as Doctor),
    });
    await devices.test();
    fails = true;
    await devices.test();
    expect([devices.report?.ready, devices.failure?.message, devices.testing]).toEqual([true, 'boom', false]);
    fails = false;
    await devices.test();
    expect(devices.failure).toBeUndefined();
  });
});

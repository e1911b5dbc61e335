import { describe, expect, it } from 'vitest';
import { ApiError, toApiError } from './errors';

describe('rejections', () => {
  const problem = '{"code":"locked","message":"the index is in use","hint":"close the other window"}';
  it.each<[string, unknown, [string, string, string]]>([
    [
      'a problem in an Error',
      new Error(problem),
      ['locked', 'the index is in use', 'close the other window'],
    ],
    ['a problem as text', problem, ['locked', 'the index is in use', 'close the other window']],
    ['no hint', '{"code":"usage","message":"m"}', ['usage', 'm', '']],
    ['a plain Error', new TypeError('x is undefined'), ['internal', 'x is undefined', '']],
    ['other JSON', '{"a":1}', ['internal', '{"a":1}', '']],
    ['a number', 7, ['internal', '7', '']],
    ['nothing', undefined, ['internal', 'undefined', '']],
  ])('%s', (_, reason, want) => {
    const e = toApiError(reason);
    expect([e.code, e.message, e.hint]).toEqual(want);
  });

  it('keeps an ApiError and knows a cancellation', () => {
    const e = new ApiError('canceled', 'canceled', '');
    expect(toApiError(e)).toBe(e);
    expect(e.canceled).toBe(true);
    expect(toApiError('boom').canceled).toBe(false);
  });
});

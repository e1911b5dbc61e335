import { describe, expect, it } from 'vitest';
import { Order, pin } from './order';

const rows = (...ids: number[]) => ids.map((chunk_id) => ({ chunk_id }));
const ids = (list: { chunk_id: number }[]) => list.map((r) => r.chunk_id);

describe('a row that stays', () => {
  it.each([
    ['none', [1, 2, 3], [3, 2, 1], undefined, [3, 2, 1]],
    ['the first', [1, 2, 3], [3, 2, 1], 1, [1, 3, 2]],
    ['the middle', [1, 2, 3, 4], [2, 4, 3, 1], 2, [4, 2, 3, 1]],
    ['the last', [1, 2, 3], [3, 1, 2], 3, [1, 2, 3]],
    ['beyond a shorter list', [1, 2, 3], [3, 1], 3, [1, 3]],
    ['not shown before', [1, 2], [3, 1, 2], 3, [3, 1, 2]],
    ['not there any more', [1, 2], [2, 3], 1, [2, 3]],
  ])('%s', (_, shown, next, chunk, want) =>
    expect(ids(pin(rows(...shown), rows(...next), chunk))).toEqual(want),
  );
});

describe('the order shown', () => {
  const answer = (partial: boolean, ...list: number[]) => ({ query: 'q', partial, hits: rows(...list) });

  it('keeps the row under the pointer in its place until the last order', () => {
    const order = new Order();
    order.next(answer(true, 1, 2, 3));
    order.point(2);
    expect(ids(order.next(answer(true, 3, 1, 2)))).toEqual([3, 2, 1]);
    expect(ids(order.next(answer(true, 2, 1, 3)))).toEqual([1, 2, 3]);
    expect(ids(order.next(answer(false, 2, 1, 3)))).toEqual([2, 1, 3]);
  });

  it('keeps the selected row, and before it the one under the pointer', () => {
    const order = new Order();
    order.next(answer(true, 1, 2, 3));
    order.focus(3);
    expect(ids(order.next(answer(true, 3, 2, 1)))).toEqual([2, 1, 3]);
    order.point(2);
    expect(order.held).toBe(2);
    order.point(undefined);
    expect(order.held).toBe(3);
  });

  it('lets all move when nobody points', () => {
    const order = new Order();
    order.next(answer(true, 1, 2, 3));
    order.point(1);
    order.point(undefined);
    expect(ids(order.next(answer(true, 3, 2, 1)))).toEqual([3, 2, 1]);
  });

  it('forgets the pointer with another query', () => {
    const order = new Order();
    order.next(answer(true, 1, 2, 3));
    order.point(1);
    expect(ids(order.next({ ...answer(true, 3, 1, 2), query: 'other' }))).toEqual([3, 1, 2]);
    expect(order.held).toBeUndefined();
  });
});

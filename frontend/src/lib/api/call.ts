import { toApiError } from './errors';

/** What a bound method answers; a rejection becomes an ApiError. */
export function call<T>(promise: Promise<T>): Promise<T> {
  return promise.catch((reason: unknown) => {
    throw toApiError(reason);
  });
}

/** An empty list where Go has a nil one. */
export const list = <T>(items: T[] | null | undefined): T[] => items ?? [];

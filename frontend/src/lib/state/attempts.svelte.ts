import type { ApiError } from '../api';
import { toApiError } from '../api/errors';

/** What is attempted, and why the last attempt failed. What the analyst stopped has not failed. */
export class Attempts {
  failure = $state.raw<ApiError>();

  /** What an attempt gave; undefined where it failed or was stopped. */
  protected async attempt<T>(what: () => Promise<T>): Promise<T | undefined> {
    this.failure = undefined;
    try {
      return await what();
    } catch (reason) {
      const error = toApiError(reason);
      if (!error.canceled) this.failure = error;
      return undefined;
    }
  }
}

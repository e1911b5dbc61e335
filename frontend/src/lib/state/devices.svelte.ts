import type { Api, ApiError, Doctor } from '../api';
import { toApiError } from '../api/errors';

/** What models run on here, as far as it has been tested. */
export class Devices {
  report = $state.raw<Doctor>();
  failure = $state.raw<ApiError>();
  testing = $state(false);

  constructor(private readonly api: Pick<Api, 'doctor'>) {}

  /** Makes the tests that were not made yet; with again, all of them. A second call meanwhile waits for no other. */
  async test(again = false): Promise<void> {
    if (this.testing) {
      this.outdated = true;
      return;
    }
    this.testing = true;
    try {
      this.report = await this.api.doctor(again);
      this.failure = undefined;
    } catch (reason) {
      this.failure = toApiError(reason);
    }
    this.testing = false;
    if (!this.outdated) return;
    this.outdated = false;
    await this.test();
  }

  private outdated = false; // what is installed has changed while it was tested
}

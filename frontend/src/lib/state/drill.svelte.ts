import type { Api, ApiError, DrillReport, DrillWork } from '../api';
import { toApiError } from '../api/errors';

type DrillApi = Pick<Api, 'drill' | 'cancelDrill' | 'drillWork' | 'onDrillWork' | 'lastDrill' | 'saveDrill'>;

/** The outage drill: the one that goes on and the last one. */
export class Drill {
  /** undefined: not known yet, or there was none. */
  report = $state.raw<DrillReport>();
  known = $state(false);
  work = $state.raw<DrillWork>();
  failure = $state.raw<ApiError>();
  /** Where the report was written last. */
  saved = $state('');

  private language = '';

  constructor(private readonly api: DrillApi) {}

  /** Follows the drill that goes on; returns what stops that. */
  listen(): () => void {
    const follow = (work: DrillWork) => {
      const ended = this.work && !work.running;
      this.work = work.running ? work : undefined;
      if (ended) void this.load(this.language);
    };
    const stop = this.api.onDrillWork(follow);
    void this.api.drillWork().then(follow, () => undefined);
    return stop;
  }

  /** Reads the last report, its sentences in a language. */
  async load(language: string): Promise<void> {
    this.language = language;
    try {
      const report = await this.api.lastDrill(language);
      if (language === this.language) this.report = report; // else another one is on its way
    } catch (reason) {
      this.failure = toApiError(reason);
    }
    this.known = true;
  }

  async start(language: string): Promise<void> {
    if (this.work) return;
    this.failure = undefined;
    this.saved = '';
    try {
      this.report = await this.api.drill(language);
    } catch (reason) {
      const error = toApiError(reason);
      if (!error.canceled) this.failure = error;
    }
  }

  cancel(): void {
    void this.api.cancelDrill();
  }

  async save(language: string): Promise<void> {
    this.failure = undefined;
    try {
      this.saved = await this.api.saveDrill(language);
    } catch (reason) {
      this.failure = toApiError(reason);
    }
  }
}

import * as Service from '../../../wailsjs/go/app/DrillService';
import type { app, domain } from '../../../wailsjs/go/models';
import { on } from './bridge';
import { call, list } from './call';

export type DrillCheck = domain.DrillCheck;
export type DrillReport = domain.DrillReport;
export type DrillTier = domain.DrillTier;
export type DrillWork = app.DrillWork;

const reportOf = (r: DrillReport): DrillReport => ({
  ...r,
  checks: list(r.checks).map((c) => ({ ...c, findings: list(c.findings) })),
  tiers: list(r.tiers),
  suffer: list(r.suffer).map((q) => ({ ...q, lost: list(q.lost) })),
});

export const drills = {
  /** Makes a drill over all collections; its sentences are in a language. */
  drill: (language: string) =>
    call(Service.Start({ collection: '', queries: 0, judged: '', language })).then(reportOf),
  cancelDrill: () => call(Service.Cancel()),
  drillWork: () => call(Service.Work()),
  onDrillWork: (callback: (work: DrillWork) => void) => on('drill:work', callback),
  /** undefined: there was none. */
  lastDrill: (language: string) =>
    call(Service.Last(language)).then((k) => (k.made ? reportOf(k.report) : undefined)),
  /** Where the page was written; empty where the analyst changed their mind. */
  saveDrill: (language: string) => call(Service.Save(language)),
};

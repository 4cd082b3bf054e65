import type { Accepted } from './accepted.ts';
import type { Stored } from './stored.ts';

/** How often what is stored and what clients were told differ; all zero when it is as it must be. */
export interface Differences {
  /** Accepted runs of which the ledger has no row. */
  missing: number;
  /** Rows beyond the first of a run. */
  doubled: number;
  /** Rows that are not final. */
  open: number;
  /** Rows of runs that the models service does not know. */
  invented: number;
  /** Rows whose state is not the run's. */
  otherState: number;
  /** Runs of which no client was told, beyond the submissions that were never answered. */
  untold: number;
  /** Acceptances of the disclaimer that are not stored. */
  lostConsents: number;
  /** Stored ones whose recording was not confirmed. */
  untoldConsents: number;
}

/** @param states what clients see of every accepted run, by job id */
export function differences(accepted: Accepted, states: Map<string, string>, stored: Stored): Differences {
  const recorded = new Map(stored.usage.map(({ job_id, status }) => [job_id, status]));
  const runs = [...stored.runs.keys()];
  const seen = (jobId: string) => states.get(jobId) ?? stored.runs.get(jobId);
  const known = new Set(stored.consents);
  const untold = runs.filter((jobId) => !accepted.runs.has(jobId)).length;
  return {
    missing: count([...accepted.runs.keys(), ...runs], (jobId) => !recorded.has(jobId)),
    doubled: stored.usage.length - recorded.size,
    open: count(recorded.values(), (status) => status === 'started'),
    invented: count(recorded.keys(), (jobId) => !stored.runs.has(jobId)),
    otherState: count(recorded, ([jobId, status]) => seen(jobId) !== status),
    untold: Math.max(0, untold - accepted.unanswered),
    lostConsents: count(accepted.consents.keys(), (id) => !known.has(id)),
    untoldConsents: count(known, (id) => !accepted.consents.has(id)),
  };
}

/** How many different ones there are of which this is so. */
function count<T>(items: Iterable<T>, isSo: (item: T) => boolean): number {
  return [...new Set(items)].filter(isSo).length;
}

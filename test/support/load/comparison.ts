import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet } from '#support/fleets/fleet.ts';
import { postgresRows } from '#support/servers/rows.ts';
import type { Accepted } from './actor.ts';

const COMPARE_EVERY_MS = 500;

/** Number of differences between the stored data and the responses that clients received. All must be zero. */
interface Differences {
  /** Accepted runs without a row in the ledger. */
  missing: number;
  /** Rows beyond the first of a run. */
  doubled: number;
  /** Rows that are not final. */
  open: number;
  /** Rows of runs that the models service does not know. */
  invented: number;
  /** Rows with another state than the run. */
  otherState: number;
  /** Runs that no client knows, in addition to the unanswered submissions. */
  untold: number;
  /** Acceptances of the disclaimer that are not stored. */
  lostConsents: number;
  /** Stored acceptances that were not confirmed to a client. */
  untoldConsents: number;
}

/** @param states the states of accepted runs as clients see them, by job id */
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

/** How many distinct items meet the condition. */
function count<T>(items: Iterable<T>, isSo: (item: T) => boolean): number {
  return [...new Set(items)].filter(isSo).length;
}

/** The stored data of a load's applications. */
export interface Stored {
  /** From the models service: status by job id. */
  runs: Map<string, string>;
  /** From the ledger as readers see it, without replaced rows. */
  usage: { job_id: string; status: string }[];
  /** From the consent service. */
  consents: string[];
}

/** Runs a query on the ledger, without the delays of a slow one. */
type LedgerQuery = (sql: string) => Promise<Stored['usage']>;

/** Reads the databases directly. Only what came through the API counts: schedules submit runs with the same keys. */
export async function readStored(fleet: Fleet, keyIds: string[], ledger: LedgerQuery): Promise<Stored> {
  const runs = await postgresRows<{ job_id: string; status: string }>(
    await fleet.databaseUrl('models'),
    `select job_id, status from models.run where api_key_id = any($1) and channel = 'api'`,
    [keyIds],
  );
  const consents = await postgresRows<{ consent_id: string }>(
    await fleet.databaseUrl('consent'),
    'select consent_id from consent.consent_record where api_key_id = any($1)',
    [keyIds],
  );
  const keys = keyIds.map((id) => `'${id}'`).join();
  return {
    runs: new Map(runs.map(({ job_id, status }) => [job_id, status])),
    usage: await ledger(
      `SELECT job_id, status FROM usage.run_v2 WHERE api_key_id IN (${keys}) AND channel = 'api'`,
    ),
    consents: consents.map(({ consent_id }) => consent_id),
  };
}

/** Compares until nothing differs, because what is stored follows the runs with a delay, or until the time is over. */
export async function settled<T>(
  compare: () => Promise<{ found: T; isSettled: boolean }>,
  withinMs: number,
): Promise<T> {
  const giveUpAt = performance.now() + withinMs;
  for (;;) {
    const { found, isSettled } = await compare();
    if (isSettled || performance.now() > giveUpAt) return found;
    await sleep(COMPARE_EVERY_MS);
  }
}

/** One sentence for each kind of difference. */
export function describeDifferences(found: Differences): string[] {
  return Object.entries(found)
    .filter(([, times]) => times > 0)
    .map(([what, times]) => `the stores differ from what clients were told: ${what} ${times}`);
}

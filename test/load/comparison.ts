import { connectClickHouse } from '#shared/clickhouse/clickhouse.ts';
import { clickhouseRows, postgresRows } from '../support/servers/rows.ts';
import type { Accepted } from './actor.ts';
import type { LoadStage } from './load-stage.ts';
import type { LoadClient } from './load-client.ts';

/** Number of differences between the stored data and the answers that clients received. All must be zero. */
export interface Differences {
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

/** Reads the databases directly, ClickHouse without the delays. */
export async function readStored({ fleet, clickhouse, applications }: LoadStage): Promise<Stored> {
  const keyIds = applications.map(({ keyId }) => keyId);
  const ledger = connectClickHouse(clickhouse.directUrl);
  try {
    const runs = await postgresRows<{ job_id: string; status: string }>(
      await fleet.databaseUrl('models'),
      'select job_id, status from models.run where api_key_id = any($1)',
      [keyIds],
    );
    const consents = await postgresRows<{ consent_id: string }>(
      await fleet.databaseUrl('consent'),
      'select consent_id from consent.consent_record where api_key_id = any($1)',
      [keyIds],
    );
    const usage = await clickhouseRows<{ job_id: string; status: string }>(
      ledger,
      'SELECT job_id, status FROM usage.event FINAL WHERE api_key_id IN {keyIds: Array(String)}',
      { keyIds },
    );
    return {
      runs: new Map(runs.map(({ job_id, status }) => [job_id, status])),
      usage,
      consents: consents.map(({ consent_id }) => consent_id),
    };
  } finally {
    await ledger.close();
  }
}

interface KeyUsage {
  api_key_id: string;
  runs: number;
  succeeded: number;
  failed: number;
}

/** Sums of /api/v1/admin/usage/keys for the load's applications; undefined if they could not be read. */
export async function keyUsage(client: LoadClient, { admin, applications }: LoadStage) {
  const path = '/api/v1/admin/usage/keys';
  const asked = { kind: 'usage, of every key', path, app: admin, expected: ['200'] };
  const { status, body } = await client.ask<{ keys: KeyUsage[] }>({ ...asked, away: 'usage_unavailable' });
  if (status !== 200) return undefined;
  const own = body.keys.filter(({ api_key_id }) => applications.some(({ keyId }) => keyId === api_key_id));
  const sum = (field: 'runs' | 'succeeded' | 'failed') => own.reduce((total, key) => total + key[field], 0);
  return { runs: sum('runs'), succeeded: sum('succeeded'), failed: sum('failed') };
}

/** The same sums, counted from the rows. */
export function countedUsage({ usage }: Stored) {
  const having = (status: string) => usage.filter((row) => row.status === status).length;
  return { runs: usage.length, succeeded: having('succeeded'), failed: having('failed') };
}

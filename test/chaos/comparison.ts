import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet } from '../support/fleets/fleet.ts';
import { FINAL, type JobBody } from '../support/fleets/jobs.ts';
import type { Rest } from '../support/fleets/rest.ts';
import { postgresRows } from '../support/servers/rows.ts';
import { analystRows } from '../support/usage/analyst.ts';
import type { ChaosClients } from './clients.ts';
import type { ChaosImporter } from './importer.ts';

/** The differences between a fleet's data and the answers that clients received. */
export interface ChaosComparison {
  /** Number of accepted runs in each state. */
  states: Map<string, number>;
  /** Reasons of failed runs that no client cancelled, each with a job id. */
  failures: Map<string, string>;
  ledger: { missing: number; doubled: number; open: number; otherState: number };
  /** Accepted runs that are on no page of usage. */
  unlisted: number;
  lostConsents: number;
  lostImports: string[];
}

const SETTLED_WITHIN_MS = 120_000;

interface Compared {
  rest: Rest;
  fleet: Fleet;
  keyId: string;
  clients: ChaosClients;
  importer: ChaosImporter;
}

/** Waits until everything has settled, then compares. */
export async function compare({ rest, fleet, keyId, clients, importer }: Compared): Promise<ChaosComparison> {
  const giveUpAt = performance.now() + SETTLED_WITHIN_MS;
  const { states, failures } = await endsOf(rest, clients, giveUpAt);
  let ledger = await ledgerOf(fleet, keyId, states);
  while (Object.values(ledger).some((count) => count > 0) && performance.now() < giveUpAt) {
    await sleep(500);
    ledger = await ledgerOf(fleet, keyId, states);
  }
  const known = await consentsOf(fleet, keyId);
  const listed = await clients.walk();
  const counted = Object.groupBy(states.values(), (state) => state);
  return {
    states: new Map(Object.entries(counted).map(([state, jobs]) => [state, jobs!.length])),
    failures,
    ledger,
    unlisted: [...clients.runs].filter((jobId) => !listed.has(jobId)).length,
    lostConsents: [...clients.consents].filter((id) => !known.has(id)).length,
    lostImports: await importer.lost(),
  };
}

/** The final state of each accepted run. A run that was cancelled and failed is `cancelled`. */
async function endsOf(rest: Rest, { runs, cancelled }: ChaosClients, giveUpAt: number) {
  const states = new Map<string, string>();
  const failures = new Map<string, string>();
  for (const jobId of runs) {
    for (;;) {
      const { status, body } = await rest.get<JobBody>(`/api/v1/jobs/${jobId}`);
      const state = status === 404 ? 'lost' : body.status;
      states.set(jobId, state === 'failed' && cancelled.has(jobId) ? 'cancelled' : state);
      if (states.get(jobId) === 'failed') failures.set(body.error?.message ?? '', jobId);
      if (status === 404 || FINAL.includes(state) || performance.now() > giveUpAt) break;
      await sleep(200);
    }
  }
  return { states, failures };
}

/** Differences between the runs and the ledger, as every reader sees it. */
async function ledgerOf(
  fleet: Fleet,
  keyId: string,
  states: Map<string, string>,
): Promise<ChaosComparison['ledger']> {
  const rows = await analystRows<{ job_id: string; status: string }>(
    await fleet.file(),
    `SELECT job_id, status FROM usage.run_v2 WHERE api_key_id = '${keyId}'`,
  );
  const recorded = new Map(rows.map(({ job_id, status }) => [job_id, status]));
  const asRecorded = (state: string) => (state === 'cancelled' ? 'failed' : state);
  return {
    missing: [...states.keys()].filter((jobId) => !recorded.has(jobId)).length,
    doubled: rows.length - recorded.size,
    open: rows.filter(({ status }) => status === 'started').length,
    otherState: [...states].filter(([jobId, state]) => recorded.get(jobId) !== asRecorded(state)).length,
  };
}

async function consentsOf(fleet: Fleet, keyId: string): Promise<Set<string>> {
  const query = 'select consent_id from consent.consent_record where api_key_id = $1';
  const url = await fleet.databaseUrl('consent');
  const rows = await postgresRows<{ consent_id: string }>(url, query, [keyId]);
  return new Set(rows.map(({ consent_id }) => consent_id));
}

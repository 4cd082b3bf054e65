import type { Fleet } from '#support/fleets/fleet.ts';
import { describeDifferences, differences, readStored, settled } from '#support/load/comparison.ts';
import { countStates, finalStates } from '#support/load/final-states.ts';
import { analystRows } from '#support/fleets/analyst.ts';
import type { ChaosClients } from './clients.ts';
import type { ChaosImporter } from './importer.ts';

const SETTLED_WITHIN_MS = 120_000;

interface Compared {
  fleet: Fleet;
  keyId: string;
  clients: ChaosClients;
  importer: ChaosImporter;
}

/** Waits until everything has settled, then compares a fleet's data with the responses that clients received. */
export async function compare({ fleet, keyId, clients, importer }: Compared) {
  const { client, accepted } = clients;
  const { states, failures } = await finalStates(client, accepted, SETTLED_WITHIN_MS);
  const file = await fleet.file();
  const found = await settled(async () => {
    const stored = await readStored(fleet, [keyId], (sql) => analystRows(file, sql));
    const found = differences(accepted, states, stored);
    return { found, isSettled: describeDifferences(found).length === 0 };
  }, SETTLED_WITHIN_MS);
  const listed = await clients.walk();
  const isCancelled = (jobId: string) => accepted.cancelled.has(jobId);
  const shown = [...states].map(([jobId, state]) =>
    state === 'failed' && isCancelled(jobId) ? 'cancelled' : state,
  );
  const examples = [...failures].map(([why, jobs]) => [why, jobs.find((id) => !isCancelled(id))] as const);
  return {
    /** Number of accepted runs in each state. A run that was cancelled and failed is `cancelled`. */
    states: new Map(countStates(shown)),
    /** Reasons of failed runs that no client cancelled, each with a job id. */
    failures: new Map(examples.filter((one): one is [string, string] => one[1] !== undefined)),
    differences: found,
    /** Accepted runs that are on no page of usage. */
    unlisted: [...accepted.runs.keys()].filter((jobId) => !listed.has(jobId)).length,
    lostImports: await importer.lost(),
  };
}

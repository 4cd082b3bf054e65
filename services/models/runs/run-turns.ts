import type { Logger } from '#platform/operations/logger.ts';
import { isOwnRun } from '#shared/runs/operator-runs.ts';
import type { Publication } from '../nats/publication.ts';
import type { RunStore } from '../store/run-store.ts';
import type { RunRow } from '../store/tables.ts';
import type { RunRequests } from './run-requests.ts';

/** Requests of a key that wait in the stream while workers run as many as they can, so that no worker waits for the next one. */
const READY = 2;

interface RunTurnsDependencies {
  store: Pick<RunStore, 'isAmongFirst' | 'unrequested'>;
  requests: Pick<RunRequests, 'send'>;
  /** How many runs all workers run at once; 0 if that is not known. */
  runsAtOnce: () => number;
  log: Logger;
}

/**
 * Workers take runs in the order of the stream. A key therefore has only as many runs there as workers can run at once, and two more;
 * its others wait in the table. So the run of another key waits for those few, however many the first key has submitted, and a key that
 * is alone still has every worker. Runs that never train wait only for each other: workers take them from a queue of their own. The service's own runs are few, and runs that wait for a trading day keep no worker busy: neither
 * waits for a turn.
 */
export class RunTurns {
  readonly #deps: RunTurnsDependencies;

  constructor(deps: RunTurnsDependencies) {
    this.#deps = deps;
  }

  /** The number of a key's unfinished runs that may be in the stream. */
  get ofEachKey(): number {
    return this.#deps.runsAtOnce() + READY;
  }

  /** Sends the request of a run if it is its turn. Never throws. */
  async send(run: RunRow): Promise<Publication | 'waits'> {
    const { store, requests, log } = this.#deps;
    if (isOwnRun(run) || run.trading_day !== null) return requests.send(run);
    try {
      if (!(await store.isAmongFirst(run, this.ofEachKey))) return 'waits';
    } catch (error) {
      // The sweeper sends it.
      log.warn(
        { job_id: run.job_id, reason: (error as Error).message },
        'the turn of a run is not known yet',
      );
      return 'waits';
    }
    return requests.send(run);
  }

  /** Sends what waited for the end of a run of this key. What this misses, the sweeper sends. Never throws. */
  async sendNext(apiKeyId: string): Promise<void> {
    const { store, requests, log } = this.#deps;
    try {
      const next = await store.unrequested({ ofEachKey: this.ofEachKey, limit: this.ofEachKey, apiKeyId });
      for (const run of next) if ((await requests.send(run)) === 'unavailable') return;
    } catch (error) {
      log.warn({ api_key_id: apiKeyId, reason: (error as Error).message }, 'the next run is not sent yet');
    }
  }
}

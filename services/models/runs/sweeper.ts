import type { Clock } from '#foundation/clock.ts';
import { purgeExpired } from '#platform/postgres/purge-expired.ts';
import type { RunRequests } from './run-requests.ts';
import type { RunTurns } from './run-turns.ts';
import type { RunStore } from '../store/run-store.ts';
import type { UsageRecords } from '../usage-records/usage-records.ts';

/** A younger row is probably still being published by the process that wrote it. */
const SETTLE_MS = 2_000;
/**
 * A run that still waits this long after its request was stored is requested again, in case the stream lost the
 * request. While the request waits in the stream, it refuses another one.
 */
const REPEAT_REQUEST_MS = 30_000;
/** Rows per step, so that a long outage is worked off gradually. */
const BATCH = 200;

interface SweeperDependencies {
  store: RunStore;
  requests: RunRequests;
  turns: Pick<RunTurns, 'ofEachKey'>;
  usage: UsageRecords;
  clock: Clock;
  /** 0 keeps every run. */
  retentionDays: number;
}

/**
 * Publishes what a crash or an outage left unpublished, within the trace of the submission, and removes expired rows.
 */
export class Sweeper {
  readonly #deps: SweeperDependencies;

  constructor(deps: SweeperDependencies) {
    this.#deps = deps;
  }

  /**
   * One round, oldest runs first. It stops when NATS or the database is unavailable, because every other run would wait
   * for its timeout too. A refused run is logged and does not hold up the others.
   */
  async sweep(): Promise<void> {
    const { store, requests, turns, usage } = this.#deps;
    const settled = this.#ago(SETTLE_MS);
    const left = {
      ofEachKey: turns.ofEachKey,
      limit: BATCH,
      acceptedBefore: settled,
      requestedBefore: this.#ago(REPEAT_REQUEST_MS),
    };
    for (const run of await store.unrequested(left)) {
      if ((await requests.send(run)) === 'unavailable') break;
    }
    for (const run of await store.unrecorded(settled, BATCH)) {
      if ((await usage.record(run, run.traceparent)) === 'unavailable') break;
    }
  }

  /** Removes all expired rows, in small steps. `signal` ends it between two steps. */
  async purge(signal: AbortSignal): Promise<void> {
    const { store, clock, retentionDays } = this.#deps;
    await store.claimed.removeExpired(clock(), signal);
    await purgeExpired(store, { clock, retentionDays }, signal);
  }

  #ago(ms: number): Date {
    return new Date(this.#deps.clock().getTime() - ms);
  }
}

import { ScreenRunRecorded } from '#proto/saring/events/v1/usage.ts';
import type { Logger } from '#platform/operations/logger.ts';
import type { Nats } from '#platform/nats/connection.ts';
import { subjects } from '#platform/nats/subjects.ts';
import type { Outbox, OutboxMessage } from '#platform/postgres/outbox.ts';
import { repeat } from '#platform/process/repeat.ts';
import type { ScreensTables } from '../store/tables.ts';

const PUBLISH_TIMEOUT_MS = 2_000;
/** Published at once, and written or read by one statement. */
const BATCH = 200;
/** While NATS is unavailable. */
const RETRY_PAUSE_MS = 1_000;
/** Runs in memory while both NATS and the database are unavailable, some megabytes. The oldest are then lost. */
const MAX_PENDING = 20_000;

interface ScreenRunsDependencies {
  outbox: Pick<Outbox<ScreensTables>, 'hold'>;
  log: Logger;
}

/**
 * Records runs of screens for the usage ledger, after they were answered. A run goes to the stream at once; what the stream does not
 * take waits in the outbox until it does. Of a run that was published twice, the stream and the ledger keep one.
 */
export class ScreenRuns {
  readonly #deps: ScreenRunsDependencies;
  #pending: ScreenRunRecorded[] = [];
  #nats: Pick<Nats, 'js'> | undefined;
  #working: Promise<void> | undefined;

  constructor(deps: ScreenRunsDependencies) {
    this.#deps = deps;
  }

  /** Takes no time: whoever ran the screen waits for nothing here. */
  record(run: ScreenRunRecorded): void {
    this.#pending.push(run);
    if (this.#pending.length > MAX_PENDING) {
      this.#pending.shift();
      this.#deps.log.error('runs of screens are lost: neither NATS nor the database takes them');
    }
    this.#working ??= this.#work();
  }

  /** Publishes from now on. Until then runs are held. */
  publishTo(nats: Pick<Nats, 'js'>): void {
    this.#nats = nats;
  }

  /** Tries again what neither NATS nor the database took. Returns a function that stops it once every run is published or held. */
  start(): () => Promise<void> {
    const retry = () => (this.#working ??= this.#work());
    const stop = repeat('recording runs of screens', RETRY_PAUSE_MS, retry, this.#deps.log);
    return async () => {
      await stop();
      await (this.#working ??= this.#work());
    };
  }

  /** Ends when nothing is pending, or nothing takes what is. Never throws. */
  async #work(): Promise<void> {
    // What is recorded in the same turn goes together, and the caller's response is sent first.
    await new Promise(setImmediate);
    try {
      while (this.#pending.length > 0) {
        const batch = this.#pending.splice(0, BATCH);
        const refused = await this.#publish(batch);
        if (refused.length > 0 && !(await this.#hold(refused))) {
          this.#pending.unshift(...refused);
          return;
        }
      }
    } finally {
      this.#working = undefined;
    }
  }

  async #hold(runs: ScreenRunRecorded[]): Promise<boolean> {
    try {
      await this.#deps.outbox.hold(runs.map(messageOf));
      return true;
    } catch (error) {
      this.#deps.log.warn({ runs: runs.length, reason: (error as Error).message }, 'runs not held yet');
      return false;
    }
  }

  /** Returns the runs that the stream has not taken. */
  async #publish(runs: ScreenRunRecorded[]): Promise<ScreenRunRecorded[]> {
    const nats = this.#nats;
    if (!nats) return runs;
    const attempts = runs
      .map(messageOf)
      .map(({ message_id: msgID, subject, message }) =>
        nats.js.publish(subject, message, { msgID, timeout: PUBLISH_TIMEOUT_MS }),
      );
    const outcomes = await Promise.allSettled(attempts);
    return runs.filter((_, at) => outcomes[at]!.status === 'rejected');
  }
}

function messageOf(run: ScreenRunRecorded): OutboxMessage {
  const message = ScreenRunRecorded.encode(run).finish();
  return { message_id: run.event_id, subject: subjects.screenRun, message };
}

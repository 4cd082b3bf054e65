import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { Logger } from '#shared/logger.ts';
import { isAlreadyPublished } from '#shared/nats/already-published.ts';
import { TURN_EXPIRY_MS } from '#shared/nats/streams.ts';
import { subjects } from '#shared/nats/subjects.ts';
import { repeat } from '#shared/repeat.ts';
import { ServiceError } from '#shared/service-error.ts';

/** Who may change what the market store holds: one of all copies of the service at a time. */
export interface StoreTurn {
  /**
   * Does the work while nobody else has the turn. The signal aborts when the turn is lost, as when this process or NATS
   * stood still for longer than it lasts.
   * @throws ServiceError import_rejected naming the copy that has it
   */
  during: <T>(what: string, work: (lost: AbortSignal) => Promise<T>) => Promise<T>;
}

/** Of a store that has one process. */
export const ONLY_COPY: StoreTurn = { during: (_, work) => work(new AbortController().signal) };

const STREAM = 'DATASET_TURNS';
/** Often enough that a late renewal is not yet a lost turn, and that whoever asks soon sees that the holder lives. */
const RENEW_PAUSE_MS = TURN_EXPIRY_MS / 5;
const LOOK_PAUSE_MS = 200;
const PUBLISH_TIMEOUT_MS = 2_000;

/** What stands in the stream while somebody has the turn; `what` is empty once it was given back. */
interface Held {
  what: string;
  host: string;
  /** In which process ids mean something; empty where the system does not say. */
  processes: string;
  pid: number;
  /** Of a process that a container starts anew under the same id, another. */
  start: string;
}

const ME = { host: hostname(), processes: processIdsOf(), pid: process.pid, start: randomUUID() };

interface SharedTurnDependencies {
  js: JetStreamClient;
  jsm: JetStreamManager;
  log: Logger;
}

/**
 * The turn of all copies, a message of JetStream that each of them replaces only if it is still the one it has seen. The
 * holder replaces it again and again; without that it expires, and the next copy takes over from one that has died.
 */
export class SharedTurn implements StoreTurn {
  readonly #deps: SharedTurnDependencies;

  constructor(deps: SharedTurnDependencies) {
    this.#deps = deps;
  }

  async during<T>(what: string, work: (lost: AbortSignal) => Promise<T>): Promise<T> {
    let sequence = await this.#take(what);
    const lost = new AbortController();
    const renew = async () => {
      try {
        sequence = await this.#put(what, sequence);
      } catch (error) {
        if (!isAlreadyPublished(error)) throw error;
        // It expired. Nobody has taken it, or the turn is lost.
        sequence = await this.#put(what, 0).catch((refusal: unknown) => {
          if (isAlreadyPublished(refusal)) lost.abort(new ServiceError('data_unavailable', LOST));
          throw refusal;
        });
      }
    };
    const stop = repeat('keeping the turn to change the store', RENEW_PAUSE_MS, renew, this.#deps.log);
    try {
      return await work(lost.signal);
    } finally {
      await stop();
      // Else it expires by itself.
      if (!lost.signal.aborted) await this.#put('', sequence).catch(() => {});
    }
  }

  async #take(what: string): Promise<number> {
    let seen: number | undefined;
    for (;;) {
      const last = await this.#last();
      if (!last || isFree(last.held)) {
        const taken = await this.#put(what, last?.sequence ?? 0).catch((error: unknown) => {
          if (isAlreadyPublished(error)) return undefined;
          throw unknown(error);
        });
        if (taken !== undefined) return taken;
      } else if (seen !== undefined && last.sequence !== seen) throw busy(last.held);
      else seen = last.sequence;
      await sleep(LOOK_PAUSE_MS);
    }
  }

  async #last(): Promise<{ held: Held; sequence: number } | undefined> {
    const last_by_subj = subjects.datasetTurn;
    const message = await this.#deps.jsm.streams
      .getMessage(STREAM, { last_by_subj })
      .catch((error: unknown) => {
        throw unknown(error);
      });
    return message ? { held: message.json<Held>(), sequence: message.seq } : undefined;
  }

  /** @returns its sequence */
  async #put(what: string, lastSubjectSequence: number): Promise<number> {
    const { seq } = await this.#deps.js.publish(subjects.datasetTurn, JSON.stringify({ what, ...ME }), {
      expect: { lastSubjectSequence },
      timeout: PUBLISH_TIMEOUT_MS,
    });
    return seq;
  }
}

const LOST = 'Another copy of the service has begun to change the store meanwhile. Try again.';

function busy({ what, host, pid }: Held): ServiceError {
  return new ServiceError(
    'import_rejected',
    `Versions are made and removed one at a time, and ${what} is running on ${host} (process ${pid}). ` +
      'Try again when it has finished.',
  );
}

function unknown(cause: unknown): ServiceError {
  const message = 'NATS does not say whether another copy of the service is changing the store. Try again.';
  return new ServiceError('data_unavailable', message, { cause });
}

/** Given back, or held by a process that was here and is gone, so that a restart need not wait until it expires. */
function isFree({ what, host, processes, pid, start }: Held): boolean {
  if (what === '') return true;
  if (host !== ME.host || processes === '' || processes !== ME.processes) return false;
  return pid === ME.pid ? start !== ME.start : !isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Containers may share the name of their host, and have processes of the same id. */
function processIdsOf(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

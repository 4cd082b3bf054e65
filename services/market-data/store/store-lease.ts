import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { Logger } from '#platform/operations/logger.ts';
import { isAlreadyPublished, publishExpecting } from '#platform/nats/publish-expecting.ts';
import { LEASE_EXPIRY_MS } from '#platform/nats/streams.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { repeat } from '#platform/process/repeat.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';

/** A lock for changes to the market store. Only one copy of the service may hold it at a time. */
export interface StoreLease {
  /**
   * Does the work while holding the lock. The signal aborts when the lock is lost, for example because this process or
   * NATS was stopped for longer than the lock's expiry.
   * @throws ServiceError import_rejected naming the copy that holds the lock
   */
  during: <T>(what: string, work: (lost: AbortSignal) => Promise<T>) => Promise<T>;
}

/** The lock of a store that only one process uses. */
export const ONLY_COPY: StoreLease = { during: (_, work) => work(new AbortController().signal) };

const STREAM = 'DATASET_TURNS';
/**
 * Short enough that one late renewal does not lose the lock, and that other copies soon see that the holder is alive.
 */
const RENEW_PAUSE_MS = LEASE_EXPIRY_MS / 5;
const POLL_PAUSE_MS = 200;
/**
 * A holder that has not renewed the lock for this long is gone, whatever the lock says: its message was stored by a server whose clock
 * was ahead, and expires that much later.
 */
const GONE_AFTER_MS = LEASE_EXPIRY_MS + RENEW_PAUSE_MS;
/** The only work that others wait for: it takes seconds, and no operator has asked for it. */
export const MAKING_TEST_MARKET = 'the making of the test market';
const PUBLISH_TIMEOUT_MS = 2_000;

/** The lock message in the stream. `what` is empty once the lock was released. */
interface LeaseHolder {
  what: string;
  host: string;
  /** The pid namespace of `pid`; empty where the system does not provide it. */
  processes: string;
  pid: number;
  /** Random for each process. A process that restarts in a container with the same pid gets another value. */
  start: string;
}

const ME = { host: hostname(), processes: processIdsOf(), pid: process.pid, start: randomUUID() };

interface SharedLeaseDependencies {
  js: JetStreamClient;
  jsm: JetStreamManager;
  log: Logger;
}

/**
 * A lock shared by all copies: a JetStream message that a copy replaces only if it is still the one it has read. The
 * holder replaces it regularly. If the holder crashes, the message expires and the next copy takes the lock.
 */
export class SharedLease implements StoreLease {
  readonly #deps: SharedLeaseDependencies;

  constructor(deps: SharedLeaseDependencies) {
    this.#deps = deps;
  }

  async during<T>(what: string, work: (lost: AbortSignal) => Promise<T>): Promise<T> {
    let sequence = await this.#take(what);
    const lost = new AbortController();
    const renew = async () => {
      const renewed = await this.#renew(what, sequence);
      if (renewed === undefined) lost.abort(new ServiceError('data_unavailable', LOST));
      else sequence = renewed;
    };
    const stop = repeat('keeping the turn to change the store', RENEW_PAUSE_MS, renew, this.#deps.log);
    try {
      return await work(lost.signal);
    } finally {
      await stop();
      // If this fails, the lock expires.
      if (!lost.signal.aborted) await this.#put('', sequence).catch(() => {});
    }
  }

  /** @returns the sequence of the lock's message, or undefined when another copy holds the lock */
  async #renew(what: string, sequence: number): Promise<number | undefined> {
    // 0: the message may have expired without another copy taking the lock.
    for (const expected of [sequence, 0]) {
      try {
        return await this.#put(what, expected);
      } catch (error) {
        if (!isAlreadyPublished(error)) throw error;
      }
    }
    const last = await this.#last();
    // Of a renewal whose acknowledgement was lost, this copy knows no sequence: the message is still its own.
    if (last && last.held.start !== ME.start) return undefined;
    return this.#put(what, last?.sequence ?? 0);
  }

  async #take(what: string): Promise<number> {
    let seen: number | undefined;
    let seenAtMs = performance.now();
    for (;;) {
      const last = await this.#last();
      const isGone = last?.sequence === seen && performance.now() - seenAtMs > GONE_AFTER_MS;
      if (!last || isGone || isFree(last.held)) {
        const taken = await this.#put(what, last?.sequence ?? 0).catch((error: unknown) => {
          if (isAlreadyPublished(error)) return undefined;
          throw unknown(error);
        });
        if (taken !== undefined) return taken;
      } else if (seen !== undefined && last.sequence !== seen && last.held.what !== MAKING_TEST_MARKET)
        throw busy(last.held);
      else if (seen !== last.sequence) [seen, seenAtMs] = [last.sequence, performance.now()];
      await sleep(POLL_PAUSE_MS);
    }
  }

  async #last(): Promise<{ held: LeaseHolder; sequence: number } | undefined> {
    const last_by_subj = subjects.datasetLease;
    const message = await this.#deps.jsm.streams
      .getMessage(STREAM, { last_by_subj })
      .catch((error: unknown) => {
        throw unknown(error);
      });
    return message ? { held: message.json<LeaseHolder>(), sequence: message.seq } : undefined;
  }

  /** @returns the sequence of the message */
  async #put(what: string, lastSubjectSequence: number): Promise<number> {
    const { seq } = await publishExpecting(
      this.#deps.js,
      subjects.datasetLease,
      JSON.stringify({ what, ...ME }),
      {
        expect: { lastSubjectSequence },
        timeout: PUBLISH_TIMEOUT_MS,
      },
    );
    return seq;
  }
}

const LOST = 'Another replica of the service has begun to change the store. Try again.';

function busy({ what, host, pid }: LeaseHolder): ServiceError {
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

/**
 * Whether the lock was released, or its holder was a process on this machine that is gone. A restart need not wait for
 * expiry.
 */
function isFree({ what, host, processes, pid, start }: LeaseHolder): boolean {
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

/** Containers may share a host name and have equal process ids. */
function processIdsOf(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

import { LRUCache } from 'lru-cache';
import type { Clock } from '#foundation/clock.ts';
import { isPostgresUnavailable } from '#platform/postgres/postgres-unavailable.ts';
import { endedWithin } from '#platform/process/waiting.ts';
import type { Session } from './sessions.ts';
import type { KeyRow } from './store/key-store.ts';

/**
 * A checked secret waits this long for the database. Gateways ask again for an entry of 400 ms and serve it until it is 900 ms old, so
 * that they have an answer in time also while the database hangs.
 */
export const PATIENCE_MS = 300;
const MAX_KEYS = 10_000;

export interface Authenticated {
  key: KeyRow;
  /** Set for the secret of a session. */
  session?: Session;
}

/** What the database has answered. */
export interface Checked extends Authenticated {
  /** The secret is refused from then on; undefined if nothing ends it. */
  validUntil: Date | undefined;
}

interface CheckedKeysDependencies {
  /** For how long a check counts while the database is unavailable; 0 refuses at once. */
  lastMs: number;
  clock: Clock;
}

/**
 * Keys that go on while the database is unavailable, so that every other service can say for itself what it still does. It is asked about
 * every secret all the same: what it has said of one counts only if it does not answer, and no longer than `lastMs`. Meanwhile nobody
 * can revoke a key through this service, and what somebody changes in the database alone is not known here.
 */
export class CheckedKeys {
  readonly #deps: CheckedKeysDependencies;
  readonly #checked = new LRUCache<string, { answer: Checked; atMs: number }>({ max: MAX_KEYS });
  /** Raised by every change of a key. An answer that was asked for before it is not kept. */
  #generation = 0;

  constructor(deps: CheckedKeysDependencies) {
    this.#deps = deps;
  }

  /** The answer of the database, or else its last one if that still counts. */
  async find(secretHash: string, read: () => Promise<Checked | undefined>): Promise<Checked | undefined> {
    const reading = this.#kept(secretHash, read());
    if (!this.#stillCounts(secretHash)) return reading;
    try {
      if (await endedWithin(reading, PATIENCE_MS)) return await reading;
    } catch (error) {
      if (!isPostgresUnavailable(error)) throw error;
    }
    return this.#stillCounts(secretHash) ?? reading;
  }

  /** To be called when a key changes, or may have changed. */
  forget(keyId: string): void {
    this.#generation++;
    for (const [hash, { answer }] of this.#checked.entries())
      if (answer.key.id === keyId) this.#checked.delete(hash);
  }

  async #kept(secretHash: string, reading: Promise<Checked | undefined>): Promise<Checked | undefined> {
    const [generation, atMs] = [this.#generation, this.#deps.clock().getTime()];
    const answer = await reading;
    if (!answer) this.#checked.delete(secretHash);
    else if (generation === this.#generation) this.#checked.set(secretHash, { answer, atMs });
    return answer;
  }

  #stillCounts(secretHash: string): Checked | undefined {
    const { lastMs, clock } = this.#deps;
    const [checked, nowMs] = [this.#checked.get(secretHash), clock().getTime()];
    if (!checked || nowMs - checked.atMs >= lastMs) return undefined;
    const { validUntil } = checked.answer;
    return validUntil && validUntil.getTime() <= nowMs ? undefined : checked.answer;
  }
}

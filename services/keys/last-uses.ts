import type { Clock } from '#foundation/clock.ts';
import type { Logger } from '#platform/operations/logger.ts';

interface LastUsesDependencies {
  write: (keyId: string, usedAt: Date) => Promise<void>;
  clock: Clock;
  log: Logger;
}

const MINUTE_MS = 60_000;

/**
 * Records when keys, or sessions, were last used, to the minute. Writes each at most once a minute, one after the other over a single
 * connection, so that a locked row or a hanging database does not delay authentication. A failed write is not repeated: the
 * next use of the key in a later minute writes again.
 */
export class LastUses {
  readonly #deps: LastUsesDependencies;
  #minuteMs = 0;
  /** Keys used in the current minute. */
  readonly #noted = new Set<string>();
  /** Pending writes by key, at most one for each key. */
  readonly #due = new Map<string, Date>();
  #writing: Promise<void> | undefined;

  constructor(deps: LastUsesDependencies) {
    this.#deps = deps;
  }

  /** Returns immediately and never throws. */
  note(keyId: string): void {
    const nowMs = this.#deps.clock().getTime();
    const minuteMs = nowMs - (nowMs % MINUTE_MS);
    if (minuteMs !== this.#minuteMs) this.#noted.clear();
    this.#minuteMs = minuteMs;
    if (this.#noted.has(keyId)) return;
    this.#noted.add(keyId);
    this.#due.set(keyId, new Date(minuteMs));
    this.#writing ??= this.#writeAll();
  }

  /** Resolves when everything noted so far has been written or has failed. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    for (const [keyId, usedAt] of this.#due) {
      this.#due.delete(keyId);
      try {
        await this.#deps.write(keyId, usedAt);
      } catch (error) {
        this.#deps.log.debug({ err: error, key_id: keyId }, 'the last use of a key could not be recorded');
      }
    }
    this.#writing = undefined;
  }
}

import type { Clock } from '#shared/clock.ts';
import type { Logger } from '#shared/logger.ts';

interface LastUsesDependencies {
  write: (keyId: string, usedAt: Date) => Promise<void>;
  clock: Clock;
  log: Logger;
}

const MINUTE_MS = 60_000;

/**
 * Notes when keys were used, to the minute: each key at most once a minute, and one after the other over a single
 * connection, so that a row somebody holds locked, or a database that hangs, costs authentication nothing. What could
 * not be written is left to the key's next use in a later minute.
 */
export class LastUses {
  readonly #deps: LastUsesDependencies;
  #minuteMs = 0;
  /** Keys used in this minute. */
  readonly #noted = new Set<string>();
  /** What is to be written, by key: bounded by how many keys there are. */
  readonly #due = new Map<string, Date>();
  #writing: Promise<void> | undefined;

  constructor(deps: LastUsesDependencies) {
    this.#deps = deps;
  }

  /** Returns at once and never throws. */
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

  /** Resolves when everything noted so far is written, or has failed to be. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    for (const [keyId, usedAt] of this.#due) {
      this.#due.delete(keyId);
      try {
        await this.#deps.write(keyId, usedAt);
      } catch (error) {
        this.#deps.log.debug({ err: error, key_id: keyId }, 'a key’s use could not be noted');
      }
    }
    this.#writing = undefined;
  }
}

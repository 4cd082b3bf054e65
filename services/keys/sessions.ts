import type { Clock } from '#foundation/clock.ts';
import type { IdSource } from '#foundation/ids.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { cutText } from '#foundation/text/cut-text.ts';
import { hashesOf, hashSecret, newSecret } from './secret.ts';
import type { KeyStore } from './store/key-store.ts';
import type { SessionRow, SessionStore, StillWorking } from './store/session-store.ts';

const HOUR_MS = 3_600_000;
/** A session ends when it is not used for this long. */
const UNUSED_MS = 12 * HOUR_MS;
/** A session ends after this time however often it is used. */
const LONGEST_MS = 30 * 24 * HOUR_MS;
/** One more ends the oldest. */
const MAX_PER_KEY = 100;
const MAX_BROWSER_LENGTH = 200;
const CONTROL_CHARACTERS = /\p{Cc}/gu;

interface SessionsDependencies {
  store: SessionStore;
  keys: Pick<KeyStore, 'find' | 'findBySecret'>;
  clock: Clock;
  newId: IdSource;
  /** As in `Authentication`. */
  peppers: readonly [string, ...string[]];
  /** Notifies every gateway that its cached data of this key is out of date. */
  announceChange: (keyId: string) => void;
}

/** A session that works, and when it ends unless it is used before. */
export type Session = SessionRow & { ends_at: Date };

/** Browsers that are signed in with a key and do not keep it. */
export class Sessions {
  readonly #deps: SessionsDependencies;

  constructor(deps: SessionsDependencies) {
    this.#deps = deps;
  }

  /**
   * @param keySecret the secret of the key, with which the session ends; empty from a gateway of an earlier release
   * @throws ServiceError not_found for an unknown key, also for one that is disabled
   */
  async start(
    keyId: string,
    browser: string,
    keySecret: string,
  ): Promise<{ session: Session; secret: string }> {
    const { store, keys, clock, newId, peppers } = this.#deps;
    const now = clock();
    const found = keySecret
      ? await keys.findBySecret(hashesOf(keySecret, peppers), now)
      : { key: await keys.find(keyId, now), secretHint: null };
    if (found?.key?.id !== keyId || found.key.disabled_at)
      throw new ServiceError('not_found', `There is no enabled key ${keyId}.`);
    const secret = newSecret('session');
    const row = {
      id: newId('ses'),
      created_at: now,
      last_used_at: now,
      browser: cutText(browser.replaceAll(CONTROL_CHARACTERS, ''), MAX_BROWSER_LENGTH),
    };
    const { secretHint: key_secret_hint } = found;
    const secret_hash = hashSecret(secret, peppers[0]);
    await store.insert({ ...row, key_id: keyId, secret_hash, key_secret_hint }, MAX_PER_KEY);
    return { session: shown(row), secret };
  }

  async list(keyId: string): Promise<Session[]> {
    return (await this.#deps.store.list(keyId, this.#stillWorking())).map(shown);
  }

  /** @throws ServiceError not_found if the key has no such session. */
  async end(keyId: string, id: string): Promise<void> {
    if (!(await this.#deps.store.delete(keyId, id)))
      throw new ServiceError('not_found', `The key has no session ${id}.`);
    this.#deps.announceChange(keyId);
  }

  /** The session that a secret with one of these hashes belongs to. */
  async find(secretHashes: string[]): Promise<(Session & { key_id: string }) | undefined> {
    const found = await this.#deps.store.find(secretHashes, this.#stillWorking());
    return found && { ...found, ends_at: endOf(found) };
  }

  /** Removes what no longer works. */
  removeEnded(): Promise<void> {
    return this.#deps.store.deleteEnded(this.#stillWorking());
  }

  #stillWorking(): StillWorking {
    const nowMs = this.#deps.clock().getTime();
    return {
      now: new Date(nowMs),
      usedAfter: new Date(nowMs - UNUSED_MS),
      startedAfter: new Date(nowMs - LONGEST_MS),
    };
  }
}

function shown(row: SessionRow): Session {
  return { ...row, ends_at: endOf(row) };
}

function endOf({ created_at, last_used_at }: SessionRow): Date {
  return new Date(Math.min(last_used_at.getTime() + UNUSED_MS, created_at.getTime() + LONGEST_MS));
}

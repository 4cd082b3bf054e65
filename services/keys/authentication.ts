import type { Clock } from '#foundation/clock.ts';
import { pepperId } from '#foundation/ids.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { Authenticated, Checked, CheckedKeys } from './checked-keys.ts';
import type { LastUses } from './last-uses.ts';
import { hashesOf, isWellFormed } from './secret.ts';
import type { Sessions } from './sessions.ts';
import type { KeyStore, SecretHash } from './store/key-store.ts';

interface AuthenticationDependencies {
  store: Pick<KeyStore, 'findBySecret' | 'find'>;
  sessions: Pick<Sessions, 'find'>;
  /** What was found before, for the time that the database is unavailable. */
  checked: Pick<CheckedKeys, 'find'>;
  lastUses: Pick<LastUses, 'note'>;
  /** When sessions were last used. */
  lastUsesOfSessions: Pick<LastUses, 'note'>;
  clock: Clock;
  /** The first pepper hashes new secrets. A secret that was issued earlier may be hashed under any of them. */
  peppers: readonly [string, ...string[]];
  /**
   * Begins to replace the stored hash of a secret under an earlier pepper by its hash under the first one. Returns immediately.
   */
  renew: (from: string, to: SecretHash) => void;
}

/** Finds the key that a secret belongs to: its own, or that of a session. */
export class Authentication {
  readonly #deps: AuthenticationDependencies;

  constructor(deps: AuthenticationDependencies) {
    this.#deps = deps;
  }

  /**
   * An unknown or replaced secret, and one of an expired or deleted key, take the same time: one statement that finds no row. A
   * malformed secret is refused without a query, so typos and scanners cost the database nothing. That leaks nothing: the rule
   * of the checksum in a secret is public, so a caller can compute it too.
   * @throws ServiceError invalid_api_key, with the same message in all of these cases
   */
  async authenticate(secret: string): Promise<Authenticated> {
    const isSession = isWellFormed(secret, 'session');
    const isKey = isWellFormed(secret) || isWellFormed(secret, 'test key');
    const hashes = isSession || isKey ? hashesOf(secret, this.#deps.peppers) : [];
    const read = () => (isSession ? this.#bySession(hashes) : this.#bySecret(hashes));
    const [newest] = hashes;
    const found = newest === undefined ? undefined : await this.#deps.checked.find(newest, read);
    if (!found) throw new ServiceError('invalid_api_key', 'The API key is unknown or has been revoked.');
    if (!found.key.disabled_at) this.#deps.lastUses.note(found.key.id);
    return found;
  }

  async #bySecret(hashes: string[]): Promise<Checked | undefined> {
    const { store, clock, peppers, renew } = this.#deps;
    const found = await store.findBySecret(hashes, clock());
    const [newest] = hashes;
    if (found && found.secretHash !== newest)
      renew(found.secretHash, { secret_hash: newest!, pepper_id: pepperId(peppers[0]) });
    return found && { key: found.key, validUntil: earliest(found.validUntil, found.key.expires_at) };
  }

  async #bySession(hashes: string[]): Promise<Checked | undefined> {
    const { store, sessions, clock, lastUsesOfSessions } = this.#deps;
    const session = await sessions.find(hashes);
    const key = session && (await store.find(session.key_id, clock()));
    if (!key || (key.expires_at && key.expires_at <= clock())) return undefined;
    lastUsesOfSessions.note(session.id);
    // A session that was started with the previous secret of its key ends with that.
    return { key, session, validUntil: earliest(session.ends_at, key.expires_at, key.previous_secret_until) };
  }
}

function earliest(...times: (Date | null)[]): Date | undefined {
  return times.filter((time) => time !== null).toSorted((a, b) => a.getTime() - b.getTime())[0];
}

import type { Clock } from '#shared/clock.ts';
import { pepperId } from '#shared/ids.ts';
import { ServiceError } from '#shared/service-error.ts';
import type { LastUses } from './last-uses.ts';
import { hashSecret, isWellFormed } from './secret.ts';
import type { KeyRow, KeyStore, SecretHash } from './store/key-store.ts';

interface AuthenticationDependencies {
  store: Pick<KeyStore, 'findBySecret'>;
  lastUses: Pick<LastUses, 'note'>;
  clock: Clock;
  /** The first pepper hashes new secrets. A secret that was issued earlier may be hashed under any of them. */
  peppers: readonly [string, ...string[]];
  /**
   * Begins to replace the stored hash of a secret under an earlier pepper by its hash under the first one. Returns immediately.
   */
  renew: (from: string, to: SecretHash) => void;
}

/** Finds the key that a secret belongs to. */
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
  async authenticate(secret: string): Promise<KeyRow> {
    const { store, clock, peppers, lastUses, renew } = this.#deps;
    const hashes = isWellFormed(secret) ? peppers.map((pepper) => hashSecret(secret, pepper)) : [];
    const found = hashes.length > 0 ? await store.findBySecret(hashes, clock()) : undefined;
    if (!found) throw new ServiceError('invalid_api_key', 'The API key is unknown or has been revoked.');
    const { key, secretHash } = found;
    if (!key.disabled_at) lastUses.note(key.id);
    const [newest] = hashes;
    if (secretHash !== newest) renew(secretHash, { secret_hash: newest!, pepper_id: pepperId(peppers[0]) });
    return key;
  }
}

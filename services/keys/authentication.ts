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
  /** Secrets are hashed under the first; those of keys that were issued before, under any of them. */
  peppers: readonly [string, ...string[]];
  /** Has a secret that was stored under an earlier pepper stored under the first from now on. Returns at once. */
  renew: (from: string, to: SecretHash) => void;
}

/** Finds the key that a secret belongs to. */
export class Authentication {
  readonly #deps: AuthenticationDependencies;

  constructor(deps: AuthenticationDependencies) {
    this.#deps = deps;
  }

  /**
   * A secret that is unknown, rotated away, or of an expired or deleted key takes the same way in the same time: one
   * statement, which finds nothing. A text that cannot be a secret of ours is refused without it, and may be: that is
   * recognised by a checksum whose rule is no secret, of nothing but the text, so whoever sent it could have reckoned it out
   * himself and learns nothing of any key; typos and scanners cost the database nothing.
   * @throws ServiceError invalid_api_key, in the same words for all of them
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

import type { Clock } from '#shared/clock.ts';
import { ServiceError } from '#shared/service-error.ts';
import type { LastUses } from './last-uses.ts';
import { hashSecret, isWellFormed } from './secret.ts';
import type { KeyRow, KeyStore } from './store/key-store.ts';

interface AuthenticationDependencies {
  store: Pick<KeyStore, 'findBySecret'>;
  lastUses: Pick<LastUses, 'note'>;
  clock: Clock;
  pepper: string;
}

/** Tells whose secret one is. */
export class Authentication {
  readonly #deps: AuthenticationDependencies;

  constructor(deps: AuthenticationDependencies) {
    this.#deps = deps;
  }

  /**
   * A secret that is unknown, rotated away, or of an expired or deleted key takes the same way in the same time: one
   * statement, which finds nothing. A text that cannot be a secret of ours is refused without it, and may be: that is
   * told by a checksum whose rule is no secret, of nothing but the text, so whoever sent it could have reckoned it out
   * himself and learns nothing of any key; typos and scanners cost the database nothing.
   * @throws ServiceError invalid_api_key, in the same words for all of them
   */
  async authenticate(secret: string): Promise<KeyRow> {
    const { store, clock, pepper, lastUses } = this.#deps;
    const key = isWellFormed(secret)
      ? await store.findBySecret(hashSecret(secret, pepper), clock())
      : undefined;
    if (!key) throw new ServiceError('invalid_api_key', 'The API key is unknown or has been revoked.');
    if (!key.disabled_at) lastUses.note(key.id);
    return key;
  }
}

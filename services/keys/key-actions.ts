import { invalidRequest, outOfRange } from '#shared/invalid-request.ts';
import type { KeyAction } from './key-action.ts';
import type { KeyStore } from './store/key-store.ts';

const MAX_LISTED = 1_000;

/** What was done to keys. */
export class KeyActions {
  readonly #store: Pick<KeyStore, 'actions'>;

  constructor(store: Pick<KeyStore, 'actions'>) {
    this.#store = store;
  }

  /**
   * The newest first, of one key or of all. A key that nothing was done to and one that never was look the same.
   * @throws ServiceError invalid_request
   */
  async list(keyId: string | undefined, limit: number): Promise<(KeyAction & { key_id: string })[]> {
    if (limit >= 1 && limit <= MAX_LISTED) return this.#store.actions(keyId, limit);
    throw invalidRequest([outOfRange(['limit'], 1, MAX_LISTED, limit)]);
  }
}

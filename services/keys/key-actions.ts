import type { KeyAction } from './key-action.ts';
import type { KeyStore } from './store/key-store.ts';

/** What was done to keys. */
export class KeyActions {
  readonly #store: Pick<KeyStore, 'actions'>;

  constructor(store: Pick<KeyStore, 'actions'>) {
    this.#store = store;
  }

  /** The newest first, of one key or of all. A key that nothing was done to and one that never was look the same. */
  async list(keyId: string | undefined, limit: number): Promise<(KeyAction & { key_id: string })[]> {
    return this.#store.actions(keyId, limit);
  }
}

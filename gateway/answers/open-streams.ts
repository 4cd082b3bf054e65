import type { Response } from 'express';
import { ServiceError } from '#shared/service-error.ts';
import type { KeyWatch } from '../auth/key-watch.ts';
import type { ClientCall } from '../routing/client-call.ts';

export const MOST_STREAMS_PER_KEY = 100;
/** Most streams end with a run. */
const RETRY_AFTER_SECONDS = 5;

/** The event streams that are open at this gateway: no more of a key than allowed, and none of a key that is refused. */
export class OpenStreams {
  readonly #keys: KeyWatch;
  readonly #open = new Map<string, number>();

  constructor(keys: KeyWatch) {
    this.#keys = keys;
  }

  /**
   * Takes a place of the key until the call is over, and ends the call once its secret is refused.
   * @returns whether events may be sent to it now; ask before each one.
   * @throws ServiceError rate_limited when all places are taken.
   */
  enter(call: ClientCall, secret: string, res: Response): () => Promise<boolean> {
    const open = this.#open.get(call.apiKeyId) ?? 0;
    if (open >= MOST_STREAMS_PER_KEY) {
      res.setHeader('Retry-After', RETRY_AFTER_SECONDS);
      throw new ServiceError(
        'rate_limited',
        `This key may hold ${MOST_STREAMS_PER_KEY} event streams open at a time. Close one, or poll.`,
      );
    }
    this.#open.set(call.apiKeyId, open + 1);
    const unwatch = this.#keys.watch(secret, () => call.end());
    call.onceOver(() => {
      unwatch();
      this.#leave(call.apiKeyId);
    });
    return () => this.#keys.isLetIn(secret);
  }

  #leave(keyId: string): void {
    const open = this.#open.get(keyId) ?? 0;
    if (open > 1) this.#open.set(keyId, open - 1);
    else this.#open.delete(keyId);
  }
}

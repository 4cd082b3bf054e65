import type { Response } from 'express';
import { ServiceError } from '#shared/service-error.ts';
import type { ClientCall } from './client-call.ts';

export const MOST_STREAMS_PER_KEY = 100;
/** Most streams end with a run. */
const RETRY_AFTER_SECONDS = 5;

/** How many event streams each key holds open at this gateway. */
export class OpenStreams {
  readonly #open = new Map<string, number>();

  /**
   * Takes a place of the key until the response is closed.
   * @throws ServiceError rate_limited when all are taken.
   */
  enter(call: ClientCall, res: Response): void {
    const open = this.#open.get(call.apiKeyId) ?? 0;
    if (open >= MOST_STREAMS_PER_KEY) {
      res.setHeader('Retry-After', RETRY_AFTER_SECONDS);
      throw new ServiceError(
        'rate_limited',
        `This key may hold ${MOST_STREAMS_PER_KEY} event streams open at a time. Close one, or poll.`,
      );
    }
    this.#open.set(call.apiKeyId, open + 1);
    call.onceClosed(() => this.#leave(call.apiKeyId));
  }

  #leave(keyId: string): void {
    const open = this.#open.get(keyId) ?? 0;
    if (open > 1) this.#open.set(keyId, open - 1);
    else this.#open.delete(keyId);
  }
}

import type { Response } from 'express';
import type { RequestContext } from './request-context.ts';

/** The request as a handler sees it; passed on to services as the context of their calls. */
export class ClientCall {
  readonly requestId: string;
  readonly traceparent: string | undefined;
  /** Id of the calling key; empty on routes that need none. */
  readonly apiKeyId: string;
  /** Empty on routes that need none. */
  readonly endUser: string;
  readonly #res: Response;

  constructor({ context }: { context: RequestContext }, res: Response) {
    this.requestId = context.requestId;
    this.traceparent = context.traceparent;
    this.apiKeyId = context.key?.id ?? '';
    this.endUser = context.endUser ?? '';
    this.#res = res;
  }

  /** Calls back once the client has its answer or is gone. */
  onceClosed(listener: () => void): void {
    if (this.#res.closed) listener();
    else this.#res.once('close', listener);
  }
}

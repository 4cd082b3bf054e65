import type { Request, Response } from 'express';
import type { ApiKey } from '#proto/saring/keys/v1/keys.ts';
import { marketOfKey, type CalledMarket } from '#foundation/test-market.ts';
import type { CallCost } from '#platform/grpc/call-cost.ts';
import { LANGUAGES, type Language } from '#foundation/text/languages.ts';
import { secretOf } from './credentials.ts';
import { endedCookie, sessionCookie, sessionIn } from './session-cookie.ts';
import type { RequestContext } from './request-context.ts';

/** The request as a handler sees it. Handlers pass it on to services as the context of their calls. */
export class ClientCall {
  readonly requestId: string;
  readonly traceparent: string | undefined;
  /** The calling key; undefined on routes that need none. */
  readonly apiKey: ApiKey | undefined;
  /** Id of the calling key; empty on routes that need none. */
  readonly apiKeyId: string;
  /** The market that the calling key sees. */
  readonly market: CalledMarket;
  /** Passed on to services, each of which checks it again. undefined unless the operator calls. */
  readonly operatorToken: string | undefined;
  /** Empty on routes that need none. */
  readonly endUser: string;
  /** The Idempotency-Key of the request, on routes that take one. */
  readonly idempotencyKey: string | undefined;
  /** The last event that a reconnecting reader has received. */
  readonly lastEventId: string | undefined;
  /** Language of sentences in the response: the one in Accept-Language, or the default. */
  readonly language: Language;
  /** The header Accept-Language, for answers in other languages too. */
  readonly acceptLanguage: string | undefined;
  /** Aborts when the client goes, while work is under way that then ends; see `whileThere`. */
  signal: AbortSignal | undefined;
  /** What the request has cost and paid; undefined while it has done nothing that costs. */
  cost: CallCost | undefined;
  readonly #res: Response;
  /** Callbacks; undefined once the call is over. Not an AbortSignal, which would cost each quick request 6 µs. */
  #listeners: Set<() => void> | undefined = new Set();

  constructor({ context }: { context: RequestContext }, res: Response) {
    this.requestId = context.requestId;
    this.traceparent = context.traceparent;
    this.apiKey = context.key;
    this.apiKeyId = context.key?.id ?? '';
    this.market = marketOfKey(this.apiKeyId);
    this.operatorToken = context.operatorToken;
    this.endUser = context.endUser ?? '';
    this.idempotencyKey = context.idempotencyKey;
    this.lastEventId = res.req.headers['last-event-id']?.toString();
    this.language = languageOf(res.req);
    this.acceptLanguage = res.req.headers['accept-language'];
    this.#res = res;
  }

  /**
   * The key's secret, for calls that stay open and check it again.
   * @throws ServiceError missing_api_key or invalid_api_key on routes that need no key
   */
  get secret(): string {
    return secretOf(this.#res.req.headers);
  }

  /** The secret of the session that the request was sent with; undefined if it was sent with a key. */
  get session(): string | undefined {
    return sessionIn(this.#res.req.headers);
  }

  /** What the client calls itself. */
  get browser(): string {
    return this.#res.req.headers['user-agent'] ?? '';
  }

  setHeaders(headers: Record<string, number>): void {
    for (const [name, value] of Object.entries(headers)) this.#res.setHeader(name, value);
  }

  /** Gives the browser the secret of a session, as a cookie. */
  signIn(secret: string, { keep }: { keep: boolean }): void {
    this.#res.setHeader('Set-Cookie', sessionCookie(this.#res.req, secret, { keep }));
  }

  /** Has the browser forget its session. */
  signOut(): void {
    this.#res.setHeader('Set-Cookie', endedCookie(this.#res.req));
  }

  /** Calls back once the client has its response, has gone, or must not get any more. */
  onceOver(listener: () => void): void {
    if (this.#res.closed) this.end();
    if (!this.#listeners) return listener();
    if (this.#listeners.size === 0) this.#res.once('close', () => this.end());
    this.#listeners.add(listener);
  }

  /** Ends everything that is under way for the client. */
  end(): void {
    const listeners = this.#listeners;
    this.#listeners = undefined;
    for (const listener of listeners ?? []) listener();
  }
}

/** Returns early without the header: this runs for every request, and most do not send one. */
function languageOf(req: Request): Language {
  if (req.headers['accept-language'] === undefined) return LANGUAGES[0];
  return (req.acceptsLanguages(...LANGUAGES) || LANGUAGES[0]) as Language;
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from 'cors';
import type { RequestHandler } from 'express';
import { originsIn } from '#platform/configuration/config.ts';
import { isAgentsPath } from '../auth/unauthenticated-budget.ts';
import { DEPRECATION_HEADERS, HEADERS, REQUEST_HEADERS } from '../openapi/openapi-headers.ts';

/** What pages of other origins may call. The console is left out: it is for no other page. */
const isCallable = (url = '') => url.startsWith('/api/') || isAgentsPath(url);
/** Chromium keeps the answer to a preflight no longer. */
const MAX_AGE_SECONDS = 7_200;

/** Names the session of an agent. */
export const SESSION_HEADER = 'Mcp-Session-Id';

/** What agents send besides the headers of the API. */
const AGENT_HEADERS = [SESSION_HEADER, 'Mcp-Protocol-Version'];

/** Every header that the API reads, as a page may not send others than these and the few that any page may send. */
const READ = [
  'Authorization',
  'X-API-Key',
  'Content-Type',
  'Content-Encoding',
  'Traceparent',
  ...REQUEST_HEADERS.map(({ name }) => name),
  ...AGENT_HEADERS,
];

/** Every header that the API sends, and those of refusals. */
const SENT = [
  ...Object.keys({ ...HEADERS, ...DEPRECATION_HEADERS }),
  'Allow',
  'WWW-Authenticate',
  SESSION_HEADER,
];

/**
 * Lets pages of the listed origins call the API (CORS). Cookies are never let in: a key is sent by the page or not at all, so that
 * no other page can act with it.
 */
export class CrossOrigin {
  readonly #origins: readonly string[];
  readonly #setHeaders: (req: IncomingMessage, res: ServerResponse) => void;

  /** @param origins a value of the setting; pages of other origins have no access at all while it is empty */
  constructor(origins: string) {
    this.#origins = originsIn(origins);
    const setHeaders = cors<IncomingMessage>({
      origin: this.#origins as string[],
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
      allowedHeaders: READ,
      exposedHeaders: SENT,
      maxAge: MAX_AGE_SECONDS,
      preflightContinue: true,
    });
    this.#setHeaders = (req, res) => setHeaders(req, res, () => {});
  }

  /** Sets the headers of a response before anything is known of it: a page can read refusals too, that of a spent limit included. */
  allow(req: IncomingMessage, res: ServerResponse): void {
    if (this.#origins.length > 0 && isCallable(req.url)) this.#setHeaders(req, res);
  }

  /** Whether pages of this origin may call. */
  allows(origin: string): boolean {
    return this.#origins.includes(origin);
  }

  /** Whether a browser asks if a page of a listed origin may send a request. It cannot send a key with that. */
  isPreflight({ method, url, headers }: IncomingMessage): boolean {
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false;
    return isCallable(url) && this.allows(headers.origin ?? '');
  }

  /** Answers preflights, whose headers are set already. */
  readonly answerPreflights: RequestHandler = (req, res, next) => {
    if (!this.isPreflight(req)) return next();
    // Some browsers wait for a body unless a length is said.
    res.status(204).setHeader('Content-Length', 0).end();
  };
}

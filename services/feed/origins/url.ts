import { basename } from 'node:path';
import type { Clock } from '#foundation/clock.ts';
import { changedShape, SourceFailure } from '../deliveries/source-failure.ts';
import { placeOfDay } from './dated-place.ts';
import { headerValues, type HeaderValue } from './header-values.ts';
import type { Origin, Received } from './origin.ts';
import { tooLarge } from './unpacked.ts';
import { webPage, type WebPage } from './web-page.ts';

const MAX_REDIRECTS = 5;
/** The part of an answer without data that is read to tell what it is. */
const MAX_JUDGED_BYTES = 256 * 1024;

interface UrlOptions {
  /** With placeholders for the day. */
  url: string;
  headers: Readonly<Record<string, HeaderValue>>;
  timeoutMs: number;
  maxBytes: number;
  env: NodeJS.ProcessEnv;
  clock: Clock;
}

/** Answers of a web server, one a day, at a URL that contains the day. */
export class UrlOrigin implements Origin {
  readonly description: string;
  readonly #options: UrlOptions;

  constructor(options: UrlOptions) {
    this.description = withoutQuery(options.url);
    this.#options = options;
  }

  async get(day: string, signal: AbortSignal): Promise<Received> {
    const { timeoutMs, env, headers } = this.#options;
    const url = new URL(placeOfDay(this.#options.url, day));
    const sent = await headerValues(headers, env);
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      return await this.#received(url, day, sent, AbortSignal.any([signal, deadline]));
    } catch (error) {
      if (error instanceof SourceFailure) throw error;
      if (signal.aborted)
        throw new SourceFailure('interrupted', `The request to ${url.host} was given up.`, {
          retryAfterMs: 0,
        });
      if (deadline.aborted)
        throw new SourceFailure(
          'timed_out',
          `${url.host} did not answer whole within ${timeoutMs / 1_000} s. If it is that slow, raise timeout_seconds of the source.`,
        );
      throw new SourceFailure('unreachable', `${url.host} cannot be reached: ${reasonOf(error)}.`, {
        cause: error,
      });
    }
  }

  async #received(url: URL, day: string, headers: Headers, signal: AbortSignal): Promise<Received> {
    const response = await this.#answer(url, headers, signal);
    if (response.ok && response.status !== 204) {
      const bytes = await bodyOf(response, url, this.#options.maxBytes);
      refusePage(response, bytes, url);
      if (bytes.length === 0) throw notPublished(url, day, 'an empty answer');
      return { name: nameOf(url, response), bytes };
    }
    const bytes = await bodyOf(response, url, MAX_JUDGED_BYTES).catch(() => Buffer.alloc(0));
    throw this.#failureOf(response, bytes, url, day);
  }

  /** Follows redirects within the host only: the headers, which can be secrets, are for nobody else. */
  async #answer(start: URL, headers: Headers, signal: AbortSignal): Promise<Response> {
    let url = start;
    for (let followed = 0; followed <= MAX_REDIRECTS; followed++) {
      const response = await fetch(url, { headers, redirect: 'manual', signal });
      const location =
        response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
      if (location === null) return response;
      await response.body?.cancel();
      const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
      if (!next || !staysWith(url, next))
        throw new SourceFailure(
          'forbidden',
          `${url.host} sends the request elsewhere${next ? `, to ${next.protocol}//${next.host}` : ''}. It is not followed, because it would carry the headers there. If the data has moved, change the url of the source.`,
        );
      url = next;
    }
    throw new SourceFailure(
      'unreachable',
      `${start.host} redirected the request ${MAX_REDIRECTS} times without an answer.`,
    );
  }

  #failureOf(response: Response, bytes: Buffer, url: URL, day: string): SourceFailure {
    const { status, headers } = response;
    const retry = retryAfterMs(headers.get('retry-after'), this.#options.clock());
    const patience = retry === undefined ? {} : { retryAfterMs: retry };
    const page = webPage(bytes, headers);
    if (status === 429)
      return new SourceFailure('rate_limited', `${url.host} asks for fewer requests (status 429).`, patience);
    if (page && (page.isBotWall || status === 403)) return botWall(url, status, page);
    if (status === 204 || status === 404 || status === 410) return notPublished(url, day, `status ${status}`);
    if (status === 401 || status === 403 || status === 407)
      return new SourceFailure(
        'forbidden',
        `${url.host} refuses the request (status ${status}). Check the headers of the source, and that its owner permits the access.`,
        patience,
      );
    const blame =
      status >= 500 ? 'has a failure of its own' : 'does not accept the request: check the url of the source';
    return new SourceFailure('unreachable', `${url.host} ${blame} (status ${status}).`, patience);
  }
}

function refusePage(response: Response, bytes: Buffer, url: URL): void {
  const page = webPage(bytes, response.headers);
  if (!page) return;
  if (page.isBotWall) throw botWall(url, response.status, page);
  throw changedShape(
    `${url.host} answered with a web page${titled(page)} where JSON or CSV belongs. It may ask for a login or be under maintenance.`,
  );
}

function botWall(url: URL, status: number, page: WebPage): SourceFailure {
  return new SourceFailure(
    'bot_wall',
    `${url.host} answered with a bot wall${titled(page)} (status ${status}). The feed does not work around it. ` +
      'Declare an address or headers that the owner of the source permits, or a file or folder that you fill yourself.',
  );
}

function titled({ title }: WebPage): string {
  return title === '' ? '' : ` titled '${title}'`;
}

function notPublished(url: URL, day: string, how: string): SourceFailure {
  return new SourceFailure('not_published', `${url.host} has nothing for ${day} yet (${how}).`);
}

/**
 * @throws SourceFailure too_large as soon as more than `maxBytes` came, truncated if the connection ends before the body does
 */
async function bodyOf({ body }: Response, url: URL, maxBytes: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
      length += piece.length;
      if (length > maxBytes) throw tooLarge(`The answer of ${url.host}`, maxBytes);
      pieces.push(piece);
    }
  } catch (error) {
    const isAborted = error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name);
    if (error instanceof SourceFailure || isAborted) throw error;
    throw new SourceFailure(
      'truncated',
      `The answer of ${url.host} broke off after ${length} bytes: ${reasonOf(error)}.`,
      { cause: error },
    );
  }
  return Buffer.concat(pieces);
}

function staysWith(from: URL, to: URL): boolean {
  const isSecured = from.protocol === 'http:' && to.protocol === 'https:' && from.hostname === to.hostname;
  return to.origin === from.origin || isSecured;
}

/** A name with an extension: that of the path, or else that of the type. */
function nameOf(url: URL, { headers }: Response): string {
  const name = basename(url.pathname) || 'answer';
  if (/\.[a-z0-9]{1,8}$/i.test(name)) return name;
  return `${name}.${/csv/i.test(headers.get('content-type') ?? '') ? 'csv' : 'json'}`;
}

/** Queries can contain keys. */
function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '');
}

/** The message of fetch is always the same; its cause says what happened. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof AggregateError) return reasonOf(cause.errors[0]);
  return cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : String(cause);
}

/** A source that asks for more is asked again after a day, when its budget begins anew. */
const MAX_PATIENCE_MS = 86_400_000;
const WHOLE_SECONDS = /^\d+$/;
/** The forms of RFC 9110. `Date.parse` alone would take `5.5` and `-5` for days long past. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d{2}:\d{2}:\d{2}/;

/**
 * What a `Retry-After` header asks for, in milliseconds; undefined if it asks for no time to come. What is none of whole seconds
 * and a date is ignored, as the clients of Saring do: the usual pauses are longer than none.
 */
export function retryAfterMs(header: string | null, now: Date): number | undefined {
  const text = (header ?? '').trim();
  const ms = WHOLE_SECONDS.test(text)
    ? Number(text) * 1_000
    : HTTP_DATE.test(text)
      ? Date.parse(text) - now.getTime()
      : NaN;
  return ms > 0 ? Math.min(ms, MAX_PATIENCE_MS) : undefined;
}

import http from 'node:http';
import https from 'node:https';
import { isIPv6, type LookupFunction } from 'node:net';
import type { AttemptOutcome } from '#proto/saring/wire/v1/words.ts';
import type { AddressGuard } from './address-guard.ts';
import { addressIn, urlMistake, type PortRanges } from './endpoint-url.ts';
import type { Resolve } from './resolve.ts';

export const OUTCOMES = [
  'delivered',
  'error_status',
  'redirected',
  'timed_out',
  'unreachable',
  'address_refused',
] as const satisfies AttemptOutcome[];

/** What came of an attempt. */
export interface Sent {
  outcome: AttemptOutcome;
  /** Undefined if no answer began. */
  status: number | undefined;
  /** The beginning of the answer's body. */
  answer: string | undefined;
  /** Why it failed, for people. */
  error: string | undefined;
  /** The header of that name in the answer, unread. */
  retryAfter?: string | undefined;
}

const NOT_PUBLIC = 'must have a host whose addresses are all public';

/** An answer is read up to here, and for no longer than this: it is only shown, and new events wait for its end. */
export const MAX_ANSWER_BYTES = 65_536;
const ANSWER_WITHIN_MS = 1_000;
/** As much of it is stored. */
const STORED_ANSWER_BYTES = 2_048;
const UNPRINTABLE = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

interface SenderOptions {
  guard: AddressGuard;
  ports: PortRanges;
  resolve: Resolve;
  /** For an attempt, from the question to DNS to the status of the answer. */
  timeoutMs: number;
}

/**
 * Sends requests to addresses of strangers. The addresses of a name are asked for anew each time, all of them are checked, and the
 * connection goes to one of those that were checked: what DNS says a moment later is of no importance. Connections are never reused,
 * and redirects never followed.
 */
export class Sender {
  readonly #options: SenderOptions;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Never throws. An attempt that `stopping` ends has timed out. */
  async post(
    text: string,
    headers: Record<string, string>,
    body: string,
    stopping: AbortSignal,
  ): Promise<Sent> {
    const { timeoutMs, ports } = this.#options;
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), stopping]);
    const mistake = urlMistake(text, ports);
    if (mistake !== undefined) return refused(mistake);
    const url = new URL(text);
    const addresses = await this.#addressesOf(url, signal);
    if (addresses === NOT_PUBLIC) return refused(addresses);
    if (!Array.isArray(addresses)) return addresses;
    return request(url, { addresses, headers, body, signal, timeoutMs });
  }

  /** What is wrong with the host of a URL: undefined if requests would be sent, or if its name has no address at the moment. */
  async refusal(url: URL, signal: AbortSignal): Promise<string | undefined> {
    const found = await this.#addressesOf(url, signal);
    return found === NOT_PUBLIC ? found : undefined;
  }

  async #addressesOf(url: URL, signal: AbortSignal): Promise<string[] | typeof NOT_PUBLIC | Sent> {
    const { guard, resolve } = this.#options;
    const own = addressIn(url);
    let addresses: string[];
    try {
      addresses = own === undefined ? await untilAborted(resolve(url.hostname, signal), signal) : [own];
    } catch (error) {
      if (signal.aborted) return failed('timed_out', `The name ${url.hostname} was not resolved in time.`);
      return failed('unreachable', `The name ${url.hostname} has no address: ${reasonOf(error)}.`);
    }
    if (addresses.every((address) => guard.allows(address))) return addresses;
    // The address stays unsaid: a name of the operator's own network would tell it to strangers.
    return NOT_PUBLIC;
  }
}

interface Request {
  addresses: string[];
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
  timeoutMs: number;
}

function request(url: URL, { addresses, headers, body, signal, timeoutMs }: Request): Promise<Sent> {
  return new Promise((resolve) => {
    let isAnswered = false;
    const { request: send } = url.protocol === 'https:' ? https : http;
    const length = Buffer.byteLength(body);
    const sent = send(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(length) },
      agent: false,
      lookup: pinnedTo(addresses),
      signal,
    });
    sent.on('error', (error) => {
      // Whatever ends the body of an answer: its status has already decided.
      if (isAnswered) return;
      if (signal.aborted) resolve(failed('timed_out', `No answer came within ${timeoutMs / 1_000} s.`));
      else resolve(failed('unreachable', `No answer came: ${reasonOf(error)}.`));
    });
    // A switch of protocols ends the connection without an error.
    sent.once('close', () => {
      if (!isAnswered) resolve(failed('unreachable', 'The connection ended without an answer.'));
    });
    sent.once('response', (response) => {
      isAnswered = true;
      const enough = setTimeout(() => response.destroy(), ANSWER_WITHIN_MS);
      void beginningOf(response).then((answer) => {
        clearTimeout(enough);
        response.destroy();
        const { 'retry-after': retryAfter } = response.headers;
        resolve({ ...judged(response.statusCode!), answer, retryAfter });
      });
    });
    sent.end(body);
  });
}

/** The status alone decides: a receiver that has said yes has the event, however its answer ends, or if it never does. */
function judged(status: number): Pick<Sent, 'outcome' | 'status' | 'error'> {
  if (status >= 200 && status < 300) return { outcome: 'delivered', status, error: undefined };
  if (status >= 300 && status < 400)
    return { outcome: 'redirected', status, error: 'Redirects are not followed.' };
  return { outcome: 'error_status', status, error: `The endpoint answered ${status}.` };
}

function refused(mistake: string): Sent {
  return failed('address_refused', `Nothing was sent: the URL ${mistake}.`);
}

/** The end of an attempt without an answer. */
function failed(outcome: AttemptOutcome, error: string): Sent {
  return { outcome, error, status: undefined, answer: undefined };
}

/** Reads until the answer ends, breaks off, or is longer than anybody needs. Never throws. */
async function beginningOf(response: http.IncomingMessage): Promise<string> {
  const kept: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if (length < STORED_ANSWER_BYTES) kept.push(chunk.subarray(0, STORED_ANSWER_BYTES - length));
      length += chunk.length;
      if (length >= MAX_ANSWER_BYTES) break;
    }
  } catch {
    // What came before is kept.
  }
  return Buffer.concat(kept).toString('utf8').replaceAll(UNPRINTABLE, '\ufffd');
}

/** A lookup that knows only these addresses, whatever name it is asked for. */
function pinnedTo(addresses: string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_name, options, done) => {
    if (options.all) done(null, found);
    else done(null, found[0]!.address, found[0]!.family);
  };
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return (code ?? message).replaceAll(UNPRINTABLE, '\ufffd');
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

import { Agent, type IncomingHttpHeaders } from 'node:http';
import type { ApiErrorCode } from '#client/index.ts';
import { sendRaw, type RawRequest } from '../rest/raw-http.ts';
import type { Tally } from './tally.ts';

/** An API key that the end users of an application share. */
export interface Application {
  key: string;
  keyId: string;
  /** Whether the key has a small limit that clients exceed. */
  isLimited: boolean;
}

/** The gateway allows a service 5 s and the check of a key the same. Anything that takes longer hangs. */
export const PATIENCE_MS = 15_000;

interface LoadedFleet {
  /** URLs of its gateways, which clients use in turn. */
  baseUrls: readonly string[];
  /** How long clients wait for a response, in addition to what they ask for. */
  patienceMs?: number;
  /** Whether it is broken on purpose: any service may be unavailable at any time, and connections may break. */
  isBroken?: boolean;
}

export interface Question {
  kind: string;
  path: string;
  method?: 'POST';
  app: Application;
  endUser?: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: object;
  /** How long the service may hold the response, in addition to the usual time. */
  waitSeconds?: number;
  /** Outcomes that the request itself explains: a status, and a code if it has one. */
  expected: readonly string[];
  /** The contract's code of a 503 when the service behind this endpoint is unavailable. */
  unavailable: ApiErrorCode;
}

export interface Reply<Body> {
  /** 0 if there was no response. */
  status: number;
  headers: IncomingHttpHeaders;
  /** Undefined if there was no response. */
  body: Body;
}

interface Heard<Body> extends Reply<Body> {
  outcome: string;
}

/** Calls all gateways in turn over keep-alive connections and counts their responses. */
export class LoadClient {
  readonly tally: Tally;
  readonly baseUrls: readonly string[];
  readonly #patienceMs: number;
  readonly #isBroken: boolean;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  #turn = 0;

  constructor({ baseUrls, patienceMs = PATIENCE_MS, isBroken = false }: LoadedFleet, tally: Tally) {
    this.baseUrls = baseUrls;
    this.tally = tally;
    this.#patienceMs = patienceMs;
    this.#isBroken = isBroken;
  }

  close(): void {
    this.#agent.destroy();
  }

  nextBaseUrl(): string {
    return this.baseUrls[this.#turn++ % this.baseUrls.length]!;
  }

  /** Never throws: it counts an unexpected outcome as a breach. */
  async ask<Body = Record<string, unknown>>(question: Question): Promise<Reply<Body>> {
    const baseUrl = this.nextBaseUrl();
    const begun = performance.now();
    const signal = AbortSignal.timeout((question.waitSeconds ?? 0) * 1_000 + this.#patienceMs);
    const reply = await this.#send<Body>(baseUrl, question, signal).catch((error: NodeJS.ErrnoException) =>
      noResponse<Body>(signal.aborted ? 'no answer in time' : `no answer (${error.code ?? error.message})`),
    );
    this.tally.count({ kind: question.kind, outcome: reply.outcome, ms: performance.now() - begun });
    const example = `${question.path} at ${baseUrl}, ${String(reply.headers['x-request-id'] ?? 'no request id')}`;
    if (this.#isBroken && BREAKS.test(reply.outcome)) return reply;
    if (!isExplained(reply.outcome, question)) {
      this.tally.breach(`${question.kind}: ${reply.outcome}`, example);
    } else if (reply.status === 429 && !/^\d+$/.test(reply.headers['retry-after'] ?? '')) {
      this.tally.breach('429 without Retry-After', example);
    }
    return reply;
  }

  async #send<Body>(baseUrl: string, question: Question, signal: AbortSignal): Promise<Heard<Body>> {
    const { status, headers, bytes } = await sendRaw(baseUrl, requestOf(question), {
      agent: this.#agent,
      signal,
    });
    const parsed = (bytes.length === 0 ? undefined : JSON.parse(bytes.toString())) as Body;
    return { status, headers, body: parsed, outcome: outcomeOf(status, parsed) };
  }
}

/** Outcomes that a fleet explains which is broken on purpose. That no response comes in time is none. */
const BREAKS = /^(503 |no answer \()/;

function requestOf({ method, path, app, endUser, headers, body }: Question): RawRequest {
  return {
    ...(method && { method }),
    path,
    headers: {
      authorization: `Bearer ${app.key}`,
      ...(endUser !== undefined && { 'x-end-user': endUser }),
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body && JSON.stringify(body),
  };
}

function noResponse<Body>(outcome: string): Heard<Body> {
  return { status: 0, headers: {}, body: undefined as Body, outcome };
}

function outcomeOf(status: number, body: unknown): string {
  const { error } = (body ?? {}) as { error?: { code?: string } };
  return status < 400 ? String(status) : `${status} ${error?.code}`;
}

/**
 * A service may be unavailable, including the one that checks keys, and a small limit may be exceeded. Other outcomes must be
 * expected.
 */
function isExplained(outcome: string, { expected, unavailable, app }: Question): boolean {
  if (expected.includes(outcome)) return true;
  if (outcome === `503 ${unavailable}` || outcome === '503 data_unavailable') return true;
  return outcome === '429 rate_limited' && app.isLimited;
}

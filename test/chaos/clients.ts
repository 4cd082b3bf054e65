import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Rest } from '../support/fleets/rest.ts';
import { errorCode, type RestAnswer } from '../support/fleets/rest.ts';
import type { JobBody } from '../support/fleets/jobs.ts';

const PAUSE_MS = 250;
const RETRY_MS = 200;
/** One request in so many is of this kind; the others submit runs, because those are what can get lost. */
const CONSENT_EVERY = 5;
const READ_EVERY = 3;
/** A gateway has 5 s for each of two services; whatever takes longer hangs. */
const HANGS_AFTER_MS = 15_000;

/**
 * Clients that submit runs, record consents and read quotes while the fleet is broken under them. A refused or lost
 * submission is sent again under its idempotency key until the service accepts it, as an application would.
 */
export class ChaosClients {
  /** Job ids of accepted runs. */
  readonly runs = new Set<string>();
  /** Ids of recorded consents. */
  readonly consents = new Set<string>();
  /** How often each outcome was seen: a status with its error code, or `no answer`. */
  readonly outcomes = new Map<string, number>();
  /** Outcomes that the contract does not allow, with an example each. */
  readonly breaches = new Map<string, string>();
  readonly #rest: Rest;
  readonly #documentVersion: string;
  readonly #tickers: string[];
  #running = true;
  readonly #lanes: Promise<void>[];

  constructor(rest: Rest, options: { clients: number; documentVersion: string; tickers: string[] }) {
    this.#rest = rest;
    this.#documentVersion = options.documentVersion;
    this.#tickers = options.tickers;
    this.#lanes = Array.from({ length: options.clients }, (_, lane) => this.#act(`chaos-${lane}`));
  }

  /** Call while the fleet serves: what is under way is repeated until the service accepts it. */
  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#lanes);
  }

  async #act(endUser: string): Promise<void> {
    for (let turn = 0; this.#running; turn++) {
      if (turn % CONSENT_EVERY === 0) await this.#recordConsent(endUser);
      else if (turn % READ_EVERY === 0) await this.#readQuotes();
      else await this.#submitRun(endUser);
      await sleep(PAUSE_MS);
    }
  }

  async #submitRun(endUser: string): Promise<void> {
    const path = '/api/v1/models/confluence_filter/runs';
    const answer = await this.#untilAccepted<JobBody>(202, path, {}, endUser);
    this.runs.add(answer.body.job_id);
  }

  async #recordConsent(endUser: string): Promise<void> {
    const body = { document_version: this.#documentVersion };
    const answer = await this.#untilAccepted<{ consent_id: string }>(201, '/api/v1/consent', body, endUser);
    this.consents.add(answer.body.consent_id);
  }

  async #readQuotes(): Promise<void> {
    const path = `/api/v1/data/quotes?tickers=${this.#tickers.join()}`;
    await this.#ask(path, () => this.#rest.get(path), ['200']);
  }

  async #untilAccepted<Body>(
    accepted: number,
    path: string,
    body: object,
    endUser: string,
  ): Promise<RestAnswer<Body>> {
    const headers = { 'idempotency-key': randomUUID() };
    const send = () => this.#rest.post<Body>(path, body, { endUser, headers });
    for (;;) {
      const answer = await this.#ask(path, send, [String(accepted)]);
      if (answer?.status === accepted) return answer;
      await sleep(RETRY_MS);
    }
  }

  /** Counts the outcome. Undefined when no answer came. */
  async #ask<Body>(
    path: string,
    send: () => Promise<RestAnswer<Body>>,
    expected: string[],
  ): Promise<RestAnswer<Body> | undefined> {
    const startedAt = performance.now();
    const answer = await send().catch(() => undefined);
    const tookMs = performance.now() - startedAt;
    const code = answer && errorCode(answer as RestAnswer);
    const outcome = answer ? [answer.status, code].filter(Boolean).join(' ') : 'no answer';
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    const isAllowed = !answer || expected.includes(outcome) || answer.status === 503;
    if (!isAllowed) this.breaches.set(outcome, `${path}: ${JSON.stringify(answer?.body).slice(0, 300)}`);
    if (tookMs > HANGS_AFTER_MS && answer)
      this.breaches.set(`answered after ${HANGS_AFTER_MS / 1_000} s`, path);
    return answer;
  }
}

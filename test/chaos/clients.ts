import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Rest } from '../support/fleets/rest.ts';
import { errorCode, type RestAnswer } from '../support/fleets/rest.ts';
import type { JobBody } from '../support/fleets/jobs.ts';

const PAUSE_MS = 250;
const RETRY_MS = 200;
/** A gateway allows 5 s for each of two services and may be frozen for 15 s before that. Anything that takes longer hangs. */
const HANGS_AFTER_MS = 30_000;
const PAGE = 20;

interface UsagePage {
  events: { event_id: string; ts: string; job_id: string }[];
  next_cursor: string | null;
}

/**
 * Clients that submit and cancel runs, record consents, read quotes and page through their usage while the fleet breaks. They
 * repeat a refused or lost submission under its idempotency key until the service accepts it, as an application would.
 */
export class ChaosClients {
  /** Job ids of accepted runs. */
  readonly runs = new Set<string>();
  /** Job ids whose cancellation was answered. */
  readonly cancelled = new Set<string>();
  /** Ids of recorded consents. */
  readonly consents = new Set<string>();
  /** How often all pages of an end user's usage were read. */
  walks = 0;
  /** How often each outcome occurred: a status with its error code, or `no answer`. */
  readonly outcomes = new Map<string, number>();
  /** Outcomes that the contract does not allow, with an example of each. */
  readonly breaches = new Map<string, string>();
  readonly #rests: readonly Rest[];
  readonly #documentVersion: string;
  readonly #tickers: string[];
  #running = true;
  #asked = 0;
  readonly #lanes: Promise<void>[];

  /** @param rests one for every gateway; clients use them in turn */
  constructor(
    rests: readonly Rest[],
    options: { clients: number; documentVersion: string; tickers: string[] },
  ) {
    this.#rests = rests;
    this.#documentVersion = options.documentVersion;
    this.#tickers = options.tickers;
    this.#lanes = Array.from({ length: options.clients }, (_, lane) => this.#act(`chaos-${lane}`));
  }

  /** Call while the fleet works: requests in progress are repeated until the service accepts them. */
  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#lanes);
  }

  /** Job ids on all pages of usage, of one end user or of all. Call while the fleet works. */
  async walk(endUser?: string): Promise<Set<string>> {
    const filter = endUser === undefined ? '' : `&end_user=${endUser}`;
    const seen = new Map<string, string>();
    let before = '';
    for (let cursor: string | null = ''; cursor !== null;) {
      const after: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
      const path = `/api/v1/usage/events?limit=${PAGE}${filter}${after}`;
      const { events, next_cursor }: UsagePage = (await this.#untilAnswered<UsagePage>(200, path)).body;
      for (const { event_id, ts, job_id } of events) {
        if (seen.has(event_id)) this.breaches.set('a run twice in one walk through usage', event_id);
        if (before !== '' && ts > before) this.breaches.set('usage out of order', `${event_id} at ${ts}`);
        seen.set(event_id, job_id);
        before = ts;
      }
      cursor = next_cursor;
    }
    this.walks++;
    return new Set(seen.values());
  }

  #rest(): Rest {
    return this.#rests[this.#asked++ % this.#rests.length]!;
  }

  async #act(endUser: string): Promise<void> {
    const submit = () => this.#submitRun(endUser);
    // Mostly runs, because runs are what can get lost.
    const day = [
      () => this.#recordConsent(endUser),
      submit,
      submit,
      () => this.#readQuotes(),
      submit,
      async () => this.#cancelRun(await submit()),
      submit,
      () => this.walk(endUser),
    ];
    for (let turn = 0; this.#running; turn++) {
      await day[turn % day.length]!();
      await sleep(PAUSE_MS);
    }
  }

  async #submitRun(endUser: string): Promise<string> {
    const path = '/api/v1/models/confluence_filter/runs';
    const { job_id } = (await this.#untilAnswered<JobBody>(202, path, { body: {}, endUser })).body;
    this.runs.add(job_id);
    return job_id;
  }

  /** The answer is 200 when the run has ended and 202 while its worker has not noticed. */
  async #cancelRun(jobId: string): Promise<void> {
    const path = `/api/v1/jobs/${jobId}/cancel`;
    for (;;) {
      const answer = await this.#ask(path, () => this.#rest().post(path, {}), ['200', '202']);
      if (answer && answer.status < 300) break;
      await sleep(RETRY_MS);
    }
    this.cancelled.add(jobId);
  }

  async #recordConsent(endUser: string): Promise<void> {
    const body = { document_version: this.#documentVersion };
    const answer = await this.#untilAnswered<{ consent_id: string }>(201, '/api/v1/consent', {
      body,
      endUser,
    });
    this.consents.add(answer.body.consent_id);
  }

  async #readQuotes(): Promise<void> {
    const path = `/api/v1/data/quotes?tickers=${this.#tickers.join()}`;
    await this.#ask(path, () => this.#rest().get(path), ['200']);
  }

  /** Repeats a request until it succeeds. A request with a body has an idempotency key. */
  async #untilAnswered<Body>(
    status: number,
    path: string,
    write?: { body: object; endUser: string },
  ): Promise<RestAnswer<Body>> {
    const headers = { 'idempotency-key': randomUUID() };
    const send = () =>
      write
        ? this.#rest().post<Body>(path, write.body, { endUser: write.endUser, headers })
        : this.#rest().get<Body>(path);
    for (;;) {
      const answer = await this.#ask(path, send, [String(status)]);
      if (answer?.status === status) return answer;
      await sleep(RETRY_MS);
    }
  }

  /** Sends and counts the outcome. Returns undefined if there was no answer. */
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
    if (!isAllowed)
      this.breaches.set(
        `unexpected answer ${outcome}`,
        `${path}: ${JSON.stringify(answer?.body).slice(0, 300)}`,
      );
    if (tookMs > HANGS_AFTER_MS && answer)
      this.breaches.set(`answered after ${HANGS_AFTER_MS / 1_000} s`, path);
    return answer;
  }
}

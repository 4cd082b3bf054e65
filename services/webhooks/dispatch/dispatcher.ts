import { randomUUID } from 'node:crypto';
import type { Clock } from '#foundation/clock.ts';
import { eventFor } from '#platform/postgres/outbox-event.ts';
import type { Logger } from '#platform/operations/logger.ts';
import type { Outbox } from '#platform/postgres/outbox.ts';
import { pause } from '#platform/process/waiting.ts';
import type { SecretBox } from '../signing/secrets.ts';
import type { Sender } from '../sending/sender.ts';
import { signedHeaders } from '../signing/signatures.ts';
import type {
  AfterAttempt,
  Claim,
  ClaimStore,
  DueDelivery,
  FailureReason,
  FinishedAttempt,
  Standing,
} from '../store/claim-store.ts';
import type { WebhooksTables } from '../store/tables.ts';
import { GOOD_STANDING, type WebhookRow } from '../store/webhook-store.ts';
import { countAttempt } from './dispatch-metrics.ts';
import { messageIdOf, payloadOf } from './payload.ts';
import {
  askedPauseMs,
  DISABLED_AFTER_MS,
  pauseAfter,
  restAfter,
  SLOW_FROM_MS,
  type RandomSource,
} from './schedule.ts';
import { Slots, WriteLimit } from './slots.ts';

/** How soon a copy finds what another one has stored, and a delivery whose pause is over. */
const POLL_MS = 1_000;
/** Longer than an attempt and the statements around it. A killed copy's endpoints wait for this long. */
const LEASE_MS = 30_000;
/** Transactions at the same time. The other connections are for calls and for events that arrive. */
const WRITES_AT_ONCE = 4;

interface DispatcherDependencies {
  store: ClaimStore;
  sender: Pick<Sender, 'post'>;
  secrets: SecretBox;
  outbox: Outbox<WebhooksTables>;
  limits: {
    /** Endpoints that this copy attempts at once. */
    endpointsAtOnce: number;
    /** Deliveries of one endpoint at once, while it works. */
    perEndpoint: number;
  };
  clock: Clock;
  random: RandomSource;
  log: Logger;
}

/**
 * Delivers events. An endpoint is claimed, some of its due deliveries are attempted, and it is released: so endpoints take turns,
 * whatever waits for each, and no two copies attempt the same one. An endpoint that fails is tried with one delivery at a time, at
 * growing intervals, and shares half of the slots with all others that fail or are slow.
 */
export class Dispatcher {
  readonly #deps: DispatcherDependencies;
  readonly #slots: Slots;
  readonly #holder = randomUUID();
  /** After thousands of attempts have ended at once, no statement waits too long for a connection. */
  readonly #writes = new WriteLimit(WRITES_AT_ONCE);
  readonly #running = new Set<Promise<void>>();
  #wake = new AbortController();
  /** Ends attempts in progress. */
  #stopping = new AbortController().signal;

  constructor(deps: DispatcherDependencies) {
    this.#deps = deps;
    const { endpointsAtOnce: endpoints } = deps.limits;
    this.#slots = new Slots({ endpoints, suspects: Math.ceil(endpoints / 2) });
  }

  /** Looks for due deliveries at once. */
  wake(): void {
    this.#wake.abort();
  }

  /** Delivers until the signal aborts. That also ends the attempts in progress, which another copy makes again at once. */
  async run(stopping: AbortSignal): Promise<void> {
    this.#stopping = stopping;
    let isFailing = false;
    while (!stopping.aborted) {
      this.#wake = new AbortController();
      try {
        await this.round();
        isFailing = false;
      } catch (error) {
        if (!isFailing)
          this.#deps.log.warn({ reason: (error as Error).message }, 'claiming deliveries fails');
        isFailing = true;
      }
      await pause(POLL_MS, AbortSignal.any([this.#wake.signal, stopping]));
    }
    await this.settled();
  }

  /** Claims what is due and fits into the free slots, and begins to attempt it. */
  async round(): Promise<void> {
    const { perEndpoint } = this.#deps.limits;
    await this.#claim({ suspects: false, limit: this.#slots.freeForGood, perEndpoint });
    await this.#claim({ suspects: true, limit: this.#slots.freeForSuspects, perEndpoint: 1 });
  }

  /** Resolves when no attempt is in progress. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #claim(what: { suspects: boolean; limit: number; perEndpoint: number }): Promise<void> {
    if (what.limit <= 0) return;
    const { store, clock } = this.#deps;
    const now = clock();
    const until = new Date(now.getTime() + LEASE_MS);
    for (const claim of await store.claim({ ...what, holder: this.#holder, now, until })) {
      const giveBack = this.#slots.take(what.suspects);
      const serving = this.#serve(claim)
        .catch((error: Error) => this.#logLost(claim, error))
        .finally(() => {
          giveBack();
          this.#running.delete(serving);
          this.wake();
        });
      this.#running.add(serving);
    }
  }

  /** The lease ends by itself, and what is not written is attempted again. */
  #logLost({ webhook: { webhook_id } }: Claim, { message: reason }: Error): void {
    this.#deps.log.warn({ webhook_id, reason }, 'what came of deliveries could not be written');
  }

  async #serve({ webhook, deliveries }: Claim): Promise<void> {
    const attempts = deliveries.map((delivery) => this.#attempt(webhook, delivery));
    const finished = (await Promise.all(attempts)).filter((attempt) => attempt !== undefined);
    await this.#writes.through(() => this.#release(webhook, finished));
  }

  /** Ends the turn of an endpoint, and disables it if it has failed for too long. */
  async #release(webhook: WebhookRow, finished: FinishedAttempt[]): Promise<void> {
    const { store, clock } = this.#deps;
    const now = clock();
    const standing = finished.length === 0 ? undefined : this.#standingAfter(webhook, finished, now);
    const reason = standing && whyDisabled(standing, finished, now);
    if (standing && reason) await this.#disable(webhook, { standing, reason, now });
    else await store.release(webhook, this.#holder, standing);
  }

  async #disable(
    webhook: WebhookRow,
    { standing, reason, now }: { standing: Standing; reason: FailureReason; now: Date },
  ): Promise<void> {
    const { store, outbox, log } = this.#deps;
    const { webhook_id, api_key_id } = webhook;
    const { failures } = standing;
    const told = { type: 'webhook.disabled', data: { webhook_id, reason, failures }, at: now } as const;
    const isDisabled = await outbox.inTransaction(async (tx) => {
      const isNew = await store.disable(tx, webhook, { holder: this.#holder, standing, reason, now });
      if (isNew) await outbox.put(tx, [eventFor('webhooks', api_key_id, told)]);
      return isNew;
    });
    if (isDisabled) log.warn({ webhook_id, api_key_id, reason, failures }, 'a webhook was disabled');
  }

  /** Undefined if it was ended because the service stops: nothing is known of the endpoint then. */
  async #attempt(webhook: WebhookRow, delivery: DueDelivery): Promise<FinishedAttempt | undefined> {
    const { store, sender, secrets, clock } = this.#deps;
    const body = payloadOf(delivery);
    const started_at = clock();
    const { signature, ...request_headers } = signedHeaders(webhook, secrets, {
      id: messageIdOf(delivery),
      body,
      at: started_at,
    });
    const began = performance.now();
    const headers = { ...request_headers, 'webhook-signature': signature };
    const sent = await sender.post(webhook.url, headers, body, this.#stopping);
    if (this.#stopping.aborted && sent.outcome === 'timed_out') return undefined;
    const duration_ms = Math.round(performance.now() - began);
    const { delivery_id, attempts } = delivery;
    const number = attempts + 1;
    const attempt = { delivery_id, number, started_at, duration_ms, request_headers, ...sent };
    const after = this.#after(attempt, delivery);
    await this.#writes.through(() => store.finish(webhook, attempt, after));
    countAttempt(attempt, after, delivery);
    return attempt;
  }

  #after(attempt: FinishedAttempt, { test, created_at }: DueDelivery): AfterAttempt {
    if (attempt.outcome === 'delivered') return { state: 'delivered' };
    // Whoever asked for a test looks at it now.
    if (test) return { state: 'failed' };
    const { clock, random } = this.#deps;
    const now = clock();
    const [askedMs, ageMs] = [askedPauseMs(attempt, now), now.getTime() - created_at.getTime()];
    const pauseMs = pauseAfter({ attempts: attempt.number, askedMs, ageMs }, random);
    return pauseMs === undefined
      ? { state: 'failed' }
      : { state: 'waiting', dueAt: new Date(now.getTime() + pauseMs) };
  }

  #standingAfter(webhook: WebhookRow, finished: FinishedAttempt[], now: Date): Standing {
    const successes = finished.filter(({ outcome }) => outcome === 'delivered').length;
    const is_slow = finished.some(({ duration_ms }) => duration_ms > SLOW_FROM_MS);
    // Attempts at the same moment have no order: one success among them shows that the endpoint works.
    if (successes > 0) return { ...GOOD_STANDING, is_slow };
    const failures = webhook.failures + finished.length;
    const askedMs = Math.max(...finished.map((attempt) => askedPauseMs(attempt, now)));
    const restMs = restAfter({ failures, askedMs }, this.#deps.random);
    return {
      failures,
      failing_since: webhook.failing_since ?? finished[0]!.started_at,
      resting_until: restMs === 0 ? null : new Date(now.getTime() + restMs),
      is_slow,
    };
  }
}

function whyDisabled(
  { failing_since }: Standing,
  finished: FinishedAttempt[],
  now: Date,
): FailureReason | undefined {
  if (finished.some(({ status }) => status === 410)) return 'gone';
  const isLasting = failing_since && now.getTime() - failing_since.getTime() >= DISABLED_AFTER_MS;
  return isLasting ? 'failing' : undefined;
}

import { Counter, Gauge } from 'prom-client';
import type { Clock } from '#foundation/clock.ts';
import { DurationHistogram } from '#platform/operations/duration-histogram.ts';
import { metricsOf } from '#platform/operations/metrics.ts';
import type { Operations } from '#platform/process/operations.ts';
import { OUTCOMES } from '../sending/sender.ts';
import type { AfterAttempt, ClaimStore, DueDelivery, FinishedAttempt } from '../store/claim-store.ts';

const registers = [metricsOf('webhooks')];
const attempts = new Counter({
  name: 'saring_webhook_attempts_total',
  help: 'Requests to endpoints of webhooks, by how they ended.',
  labelNames: ['outcome'],
  registers,
});
for (const outcome of OUTCOMES) attempts.inc({ outcome }, 0);
const ended = new Counter({
  name: 'saring_webhook_deliveries_total',
  help: 'Deliveries that were made, and those that failed because their last attempt did.',
  labelNames: ['state'],
  registers,
});
for (const state of ['delivered', 'failed']) ended.inc({ state }, 0);
const durations = new DurationHistogram({
  name: 'saring_webhook_delivery_seconds',
  help: 'From when a delivery was created to the answer of the endpoint, of those that succeed at the first attempt.',
  labelNames: [],
  registry: metricsOf('webhooks'),
}).of();
const waiting = new Gauge({
  name: 'saring_webhook_waiting_deliveries',
  help: 'Deliveries that wait for an attempt, also those of disabled webhooks.',
  registers,
});
const oldest = new Gauge({
  name: 'saring_webhook_oldest_waiting_seconds',
  help: 'Age of the oldest delivery that waits; 0 when none does.',
  registers,
});
const overdue = new Gauge({
  name: 'saring_webhook_overdue_seconds',
  help: 'For how long an endpoint in good standing has been waiting for its turn at most; 0 when none waits.',
  registers,
});
const webhooks = new Gauge({
  name: 'saring_webhooks',
  help: 'Webhooks that work, that fail, and that are disabled.',
  labelNames: ['state'],
  registers,
});

export function countAttempt(
  { outcome, number, started_at, duration_ms }: FinishedAttempt,
  { state }: AfterAttempt,
  { created_at }: DueDelivery,
): void {
  attempts.inc({ outcome });
  if (state === 'waiting') return;
  ended.inc({ state });
  if (state !== 'delivered' || number > 1) return;
  const waitedMs = started_at.getTime() - created_at.getTime();
  durations.observe((waitedMs + duration_ms) / 1_000);
}

/** Regularly measures what waits. Copies of the service measure the same. Returns a function that stops it. */
export function measureWebhooks(
  operations: Operations,
  { claims, clock }: { claims: Pick<ClaimStore, 'state'>; clock: Clock },
): () => Promise<unknown> {
  return operations.measure('webhooks', [waiting, oldest, overdue, webhooks], async () => {
    const now = clock();
    const state = await claims.state(now);
    const ageOf = (since: Date | null) =>
      since ? Math.max(0, (now.getTime() - since.getTime()) / 1_000) : 0;
    waiting.set(state.waiting);
    oldest.set(ageOf(state.oldest));
    overdue.set(ageOf(state.overdue_since));
    webhooks.set({ state: 'working' }, state.working);
    webhooks.set({ state: 'failing' }, state.failing);
    webhooks.set({ state: 'disabled' }, state.disabled);
  });
}

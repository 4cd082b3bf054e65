import { setTimeout as sleep } from 'node:timers/promises';
import type { Rest } from '#support/rest/rest.ts';
import { Receiver } from '#support/services/test-webhooks.ts';

const TESTS = 60;

export type QuickApplication = Awaited<ReturnType<typeof startQuickApplication>>;

/** An application with a webhook that notes when a request arrived, and answers at once. */
export async function startQuickApplication(rest: Rest) {
  const arrivals: { atMs: number; body: string }[] = [];
  const receiver = await Receiver.start((_request, response) => {
    arrivals.push({ atMs: Date.now(), body: receiver.received.at(-1)!.body });
    response.end();
  });
  const webhookId = await createWebhook(rest, receiver.url);

  /** When a request arrived whose body has this text. */
  async function arrival(id: string): Promise<number> {
    for (;;) {
      const found = arrivals.findLast(({ body }) => body.includes(id));
      if (found) return found.atMs;
      await sleep(1);
    }
  }

  /** Times from asking for a test event until it arrives, one after the other, ms. */
  async function timesOfTests(): Promise<number[]> {
    const times: number[] = [];
    for (let n = 0; n < TESTS; n++) {
      const beganAtMs = Date.now();
      const path = `/api/v1/webhooks/${webhookId}/test`;
      const { body } = await rest.post<{ event_id: string }>(path, undefined);
      times.push((await arrival(body.event_id)) - beganAtMs);
    }
    return times;
  }

  return { arrival, timesOfTests, stop: () => receiver.stop() };
}

/** Creates a webhook. Returns its id. */
export async function createWebhook(rest: Rest, url: string): Promise<string> {
  const { status, body } = await rest.post<{ webhook_id: string }>('/api/v1/webhooks', { url });
  if (status !== 201) throw new Error(`a webhook was answered ${status}: ${JSON.stringify(body)}`);
  return body.webhook_id;
}

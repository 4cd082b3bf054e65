import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Rest } from '#support/rest/rest.ts';

const TESTS = 60;

/** An application with a webhook that notes when a request arrived, and answers at once. */
export class QuickApplication {
  readonly stop: () => void;
  readonly #rest: Rest;
  readonly #webhookId: string;
  readonly #arrivals: { atMs: number; body: string }[];

  private constructor(
    rest: Rest,
    webhookId: string,
    { stop, arrivals }: { stop: () => void; arrivals: { atMs: number; body: string }[] },
  ) {
    this.stop = stop;
    this.#rest = rest;
    this.#webhookId = webhookId;
    this.#arrivals = arrivals;
  }

  static async start(rest: Rest): Promise<QuickApplication> {
    const arrivals: { atMs: number; body: string }[] = [];
    const { url, stop } = await listening((request, response) => {
      const atMs = Date.now();
      void text(request).then((body) => {
        arrivals.push({ atMs, body });
        response.end();
      });
    });
    return new QuickApplication(rest, await createWebhook(rest, url), { stop, arrivals });
  }

  /** When a request arrived whose body has this text. */
  async arrival(id: string): Promise<number> {
    for (;;) {
      const found = this.#arrivals.findLast(({ body }) => body.includes(id));
      if (found) return found.atMs;
      await sleep(1);
    }
  }

  /** Times from asking for a test event until it arrives, one after the other, ms. */
  async timesOfTests(): Promise<number[]> {
    const times: number[] = [];
    for (let n = 0; n < TESTS; n++) {
      const beganAtMs = Date.now();
      const path = `/api/v1/webhooks/${this.#webhookId}/test`;
      const { body } = await this.#rest.post<{ event_id: string }>(path, undefined);
      times.push((await this.arrival(body.event_id)) - beganAtMs);
    }
    return times;
  }
}

/** Creates a webhook. Returns its id. */
export async function createWebhook(rest: Rest, url: string): Promise<string> {
  const { status, body } = await rest.post<{ webhook_id: string }>('/api/v1/webhooks', { url });
  if (status !== 201) throw new Error(`a webhook was answered ${status}: ${JSON.stringify(body)}`);
  return body.webhook_id;
}

/** A receiver on a free port. */
export async function listening(answer: RequestListener): Promise<{ url: string; stop: () => void }> {
  const server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}/`, stop };
}

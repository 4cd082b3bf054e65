import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { TENANT_SCOPES, KeyIssuer } from '#support/fleets/issued-keys.ts';
import { pollUntilFinal, submitRun } from '#support/fleets/jobs.ts';
import { Rest } from '#support/fleets/rest.ts';
import { spread, type Figure } from '#support/measuring/report.ts';
import type { Stage } from '#support/measuring/stage.ts';

const RUNS = 40;
const TESTS = 60;
/** As many keys as own them by default. */
const HANGING = { keys: 50, ofEach: 20 };
/** Longer than an attempt takes. */
const SETTLE_MS = 11_000;
const QUANTILES = [0.5, 0.99];

/** How soon an endpoint has an event, and how soon while a thousand others hang. */
export async function webhookFigures({ fleet, file, rest }: Stage): Promise<Figure[]> {
  const app = await QuickReceiver.start();
  const hanging = await listening(() => {});
  try {
    const { webhook_id } = await created(rest, app.url);
    const afterRuns = await afterEndOfRuns(rest, app);
    const alone = await timesOfTests(rest, webhook_id, app);
    const others = await hangingWebhooks(fleet.stateDir, file.base_url, hanging.url);
    await others.test();
    const whileOthersBegin = await timesOfTests(rest, webhook_id, app);
    await sleep(SETTLE_MS);
    await others.test();
    const whileOthersHang = await timesOfTests(rest, webhook_id, app);
    const count = HANGING.keys * HANGING.ofEach;
    return [
      figure('from the end of a run to the receiver of its event', afterRuns, '≤ 100 / 300 ms'),
      figure('from asking for a test event to its receiver', alone),
      figure(`... while ${count} endpoints begin to hang`, whileOthersBegin, '≤ 100 ms more'),
      figure(`... while ${count} endpoints go on hanging`, whileOthersHang, '≤ 100 ms more'),
    ];
  } finally {
    app.stop();
    hanging.stop();
  }
}

async function afterEndOfRuns(rest: Rest, app: QuickReceiver): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < RUNS; n++) {
    const { job_id } = await submitRun(rest);
    const arrivedAtMs = await app.arrival(job_id);
    const { finished_at } = await pollUntilFinal(rest, job_id);
    times.push(arrivedAtMs - Date.parse(finished_at as string));
  }
  return times;
}

async function timesOfTests(rest: Rest, webhookId: string, app: QuickReceiver): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < TESTS; n++) {
    const beganAtMs = Date.now();
    const path = `/api/v1/webhooks/${webhookId}/test`;
    const { body } = await rest.post<{ event_id: string }>(path, undefined);
    times.push((await app.arrival(body.event_id)) - beganAtMs);
  }
  return times;
}

async function created(rest: Rest, url: string): Promise<{ webhook_id: string }> {
  const { status, body } = await rest.post<{ webhook_id: string }>('/api/v1/webhooks', { url });
  if (status !== 201) throw new Error(`a webhook was answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Webhooks of other keys, to which `test` sends an event each. */
async function hangingWebhooks(stateDir: string, baseUrl: string, url: string) {
  const issuer = await KeyIssuer.of(stateDir);
  const keys = await Promise.all(
    Array.from({ length: HANGING.keys }, () => issuer.issue(TENANT_SCOPES.split(','))),
  );
  issuer.close();
  const owned = keys.map(async ({ key }) => {
    const rest = new Rest(baseUrl, key);
    const ids: string[] = [];
    for (let n = 0; n < HANGING.ofEach; n++) ids.push((await created(rest, url)).webhook_id);
    return { rest, ids };
  });
  const owners = await Promise.all(owned);
  return {
    test: async () => {
      for (const { rest, ids } of owners)
        await Promise.all(ids.map((id) => rest.post(`/api/v1/webhooks/${id}/test`, undefined)));
    },
  };
}

/** Notes when a request with a text arrived, and answers at once. */
class QuickReceiver {
  readonly url: string;
  readonly stop: () => void;
  readonly #arrivals: { atMs: number; body: string }[];

  private constructor(url: string, stop: () => void, arrivals: { atMs: number; body: string }[]) {
    this.url = url;
    this.stop = stop;
    this.#arrivals = arrivals;
  }

  static async start(): Promise<QuickReceiver> {
    const arrivals: { atMs: number; body: string }[] = [];
    const server = await listening((request, response) => {
      const atMs = Date.now();
      void text(request).then((body) => {
        arrivals.push({ atMs, body });
        response.end();
      });
    });
    return new QuickReceiver(server.url, server.stop, arrivals);
  }

  async arrival(id: string): Promise<number> {
    for (;;) {
      const found = this.#arrivals.find(({ body }) => body.includes(id));
      if (found) return found.atMs;
      await sleep(1);
    }
  }
}

async function listening(answer: RequestListener): Promise<{ url: string; stop: () => void }> {
  const server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}/`, stop };
}

function figure(what: string, times: number[], bar?: string): Figure {
  const measured = `${spread(times, QUANTILES, 0)} ms`;
  return { what: `${what} (p50 / p99)`, measured, ...(bar !== undefined && { bar }) };
}

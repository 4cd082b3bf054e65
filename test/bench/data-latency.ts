import { Agent } from 'node:http';
import { sendRaw } from '../support/fleets/raw-http.ts';
import type { BenchRequest, RequestKind } from './data-requests.ts';
import { spread, type Figure } from './report.ts';

/** The client, the gateway and the service share what processors there are: more would measure how they queue. */
export const CONNECTIONS = 2;
const REQUESTS = 500;
const WARM_UP = 50;

/** Where two gateways before the same services are: one keeps answers, the other asks the service each time. */
export interface Gateways {
  keeping: string;
  asking: string;
}

/**
 * Latency of each kind over connections that stay open, when the service must answer, and beside it when this gateway
 * has given the answer before.
 */
export async function latencyFigures(
  gateways: Gateways,
  key: string,
  kinds: RequestKind[],
  bar: string,
): Promise<Figure[]> {
  const asking = new KeepAliveClient(gateways.asking, key);
  const keeping = new KeepAliveClient(gateways.keeping, key);
  const figures: Figure[] = [];
  try {
    for (const { what, nth } of kinds) {
      await timesOf(asking, nth, WARM_UP);
      const asked = await timesOf(asking, nth, REQUESTS);
      await timesOf(keeping, nth, REQUESTS);
      const again = await timesOf(keeping, nth, REQUESTS);
      const [fresh, kept] = [asked, again].map((times) => spread(times, [0.5, 0.99, 1]));
      figures.push({ what, measured: `${fresh} ms; from memory ${kept} ms`, bar });
    }
  } finally {
    asking.close();
    keeping.close();
  }
  return figures;
}

/** Milliseconds of `count` requests, of which as many as there are connections are under way at a time. */
async function timesOf(client: KeepAliveClient, nth: RequestKind['nth'], count: number): Promise<number[]> {
  const times: number[] = [];
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const elapsedMs = await client.timeOf(nth(next++));
      if (elapsedMs !== undefined) times.push(elapsedMs);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  if (times.length < count / 2) throw new Error(`of ${nth(0).path} and its like most are not in the dataset`);
  return times;
}

/** Asks one gateway over connections that stay open. */
class KeepAliveClient {
  readonly #baseUrl: string;
  readonly #key: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

  constructor(baseUrl: string, key: string) {
    this.#baseUrl = baseUrl;
    this.#key = key;
  }

  /**
   * Milliseconds from sending the request to the last byte of its answer; undefined when there is no such thing in the
   * dataset, which says nothing about answers.
   * @throws Error when it is refused or fails
   */
  async timeOf({ path, body }: BenchRequest): Promise<number | undefined> {
    const begun = performance.now();
    const headers = {
      authorization: `Bearer ${this.#key}`,
      ...(body && { 'content-type': 'application/json' }),
    };
    const { status, bytes } = await sendRaw(
      this.#baseUrl,
      { method: body ? 'POST' : 'GET', path, headers, body: body && JSON.stringify(body) },
      { agent: this.#agent },
    );
    const elapsedMs = performance.now() - begun;
    if (status === 200) return elapsedMs;
    if (status === 404) return undefined;
    throw new Error(`${path} was answered ${status}: ${bytes.toString()}`);
  }

  close(): void {
    this.#agent.destroy();
  }
}

import { Agent } from 'node:http';
import { sendRaw } from '#support/rest/raw-http.ts';
import type { BenchRequest, RequestKind } from './data-requests.ts';
import { spread, type Figure } from '#support/measuring/report.ts';
import { NOT_COUNTED, timesOf } from '#support/measuring/times.ts';

/** Client, gateway and service share the processors. With more connections the figures would measure how requests queue. */
export const CONNECTIONS = 2;
const REQUESTS = 500;
const WARM_UP = 50;

/** URLs of two gateways for the same services: `keeping` caches answers, `asking` calls the service each time. */
export interface Gateways {
  keeping: string;
  asking: string;
}

/** Latency of each kind over keep-alive connections: with a call of the service, and from the gateway's cache. */
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
      await requestTimes(asking, nth, WARM_UP);
      const requested = await requestTimes(asking, nth, REQUESTS);
      await requestTimes(keeping, nth, REQUESTS);
      const again = await requestTimes(keeping, nth, REQUESTS);
      const [fresh, kept] = [requested, again].map((times) => spread(times, [0.5, 0.99, 1]));
      figures.push({ what, measured: `${fresh} ms; from memory ${kept} ms`, bar });
    }
  } finally {
    asking.close();
    keeping.close();
  }
  return figures;
}

/** Milliseconds of `count` requests. As many run in parallel as there are connections. */
async function requestTimes(
  client: KeepAliveClient,
  nth: RequestKind['nth'],
  count: number,
): Promise<number[]> {
  const times = await timesOf((n) => client.ask(nth(n)), { count, atOnce: CONNECTIONS });
  if (times.length < count / 2) throw new Error(`of ${nth(0).path} and its like most are not in the dataset`);
  return times;
}

/** Calls one gateway over keep-alive connections. */
class KeepAliveClient {
  readonly #baseUrl: string;
  readonly #key: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

  constructor(baseUrl: string, key: string) {
    this.#baseUrl = baseUrl;
    this.#key = key;
  }

  /**
   * Sends the request and reads its answer to the last byte. If the dataset lacks the data, the response says nothing about
   * latency.
   * @throws Error if the request is refused or fails
   */
  async ask({ path, body }: BenchRequest): Promise<unknown> {
    const headers = {
      authorization: `Bearer ${this.#key}`,
      ...(body && { 'content-type': 'application/json' }),
    };
    const { status, bytes } = await sendRaw(
      this.#baseUrl,
      { method: body ? 'POST' : 'GET', path, headers, body: body && JSON.stringify(body) },
      { agent: this.#agent },
    );
    if (status === 200) return undefined;
    if (status === 404) return NOT_COUNTED;
    throw new Error(`${path} was answered ${status}: ${bytes.toString()}`);
  }

  close(): void {
    this.#agent.destroy();
  }
}

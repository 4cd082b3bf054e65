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
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const timesAt = (baseUrl: string, { nth }: RequestKind, count: number) =>
    requestTimes((request) => ask(request, { baseUrl, key, agent }), nth, count);
  const figures: Figure[] = [];
  try {
    for (const kind of kinds) {
      await timesAt(gateways.asking, kind, WARM_UP);
      const requested = await timesAt(gateways.asking, kind, REQUESTS);
      await timesAt(gateways.keeping, kind, REQUESTS);
      const again = await timesAt(gateways.keeping, kind, REQUESTS);
      const [fresh, kept] = [requested, again].map((times) => spread(times, [0.5, 0.99, 1]));
      figures.push({ what: kind.what, measured: `${fresh} ms; from memory ${kept} ms`, bar });
    }
  } finally {
    agent.destroy();
  }
  return figures;
}

/** Milliseconds of `count` requests. As many run in parallel as there are connections. */
async function requestTimes(
  askOne: (request: BenchRequest) => Promise<unknown>,
  nth: RequestKind['nth'],
  count: number,
): Promise<number[]> {
  const times = await timesOf((n) => askOne(nth(n)), { count, atOnce: CONNECTIONS });
  if (times.length < count / 2) throw new Error(`of ${nth(0).path} and its like most are not in the dataset`);
  return times;
}

/**
 * Sends the request and reads its answer to the last byte. If the dataset lacks the data, the response says nothing about
 * latency.
 * @throws Error if the request is refused or fails
 */
async function ask(
  { path, body }: BenchRequest,
  { baseUrl, key, agent }: { baseUrl: string; key: string; agent: Agent },
): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
  const request = { method: body ? 'POST' : 'GET', path, headers, body: body && JSON.stringify(body) };
  const { status, bytes } = await sendRaw(baseUrl, request, { agent });
  if (status === 200) return undefined;
  if (status === 404) return NOT_COUNTED;
  throw new Error(`${path} was answered ${status}: ${bytes.toString()}`);
}

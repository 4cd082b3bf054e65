import type { RequestKind } from './data-requests.ts';
import { KeepAliveClient } from './keep-alive-client.ts';
import { quantile } from './quantiles.ts';
import type { Figure } from './report.ts';
import type { Gateways } from './gateways.ts';

/** The client, the gateway and the service share what processors there are: more would measure how they queue. */
export const CONNECTIONS = 2;
const REQUESTS = 500;
const WARM_UP = 50;

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
  const asking = new KeepAliveClient(gateways.asking, key, CONNECTIONS);
  const keeping = new KeepAliveClient(gateways.keeping, key, CONNECTIONS);
  const figures: Figure[] = [];
  try {
    for (const { what, nth } of kinds) {
      await timesOf(asking, nth, WARM_UP);
      const asked = await timesOf(asking, nth, REQUESTS);
      await timesOf(keeping, nth, REQUESTS);
      const again = await timesOf(keeping, nth, REQUESTS);
      const measured = `${threeOf(asked)} ms; from memory ${threeOf(again)} ms`;
      figures.push({ what, measured, bar });
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

/** p50 / p99 / max. */
function threeOf(times: number[]): string {
  return [0.5, 0.99, 1].map((q) => quantile(times, q).toFixed(1)).join(' / ');
}

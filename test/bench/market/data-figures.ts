import path from 'node:path';
import { loadSecrets } from '#local/state/secrets.ts';
import type { Fleet } from '#support/fleets/fleet.ts';
import { Rest } from '#support/rest/rest.ts';
import { blockingFigures } from './blocking.ts';
import { CONNECTIONS, latencyFigures, type Gateways } from './data-latency.ts';
import { marketWideKinds, singleStockKinds } from './data-requests.ts';
import { sampleOf } from './market-sample.ts';
import { residentFigure } from '#support/measuring/processes.ts';
import type { Figure } from '#support/measuring/report.ts';

/** Figures are p50 / p99 / max. */
const SINGLE_BAR = 'p50 < 5 ms, p99 < 25 ms';
const WIDE_BAR = 'p99 < 60 ms';
/** 1.2 GiB. */
export const RESIDENT_BAR = '< 1229 MiB';

/** Market data: latency by endpoint, blocking of the event loop, memory. */
export async function dataFigures(fleet: Fleet, gateways: Gateways, key: string): Promise<Figure[]> {
  const { pids, clickhouse } = await fleet.file();
  const marketData = pids['market-data']!;
  const atRest = residentFigure('resident memory of market-data, dataset loaded', marketData, RESIDENT_BAR);
  const sample = await sampleOf(new Rest(gateways.keeping, key));
  const latency = (kinds: Parameters<typeof latencyFigures>[2], bar: string) =>
    latencyFigures(gateways, key, kinds, bar);
  console.log(`Measuring market data over ${CONNECTIONS} connections …`);
  const single = await latency(singleStockKinds(sample), SINGLE_BAR);
  const wide = await latency(marketWideKinds(sample), WIDE_BAR);
  const afterwards = residentFigure(
    'resident memory of market-data after these requests',
    marketData,
    RESIDENT_BAR,
  );
  console.log('Measuring what holds up the event loop …');
  const { clickhouse_passwords } = loadSecrets(path.join(fleet.stateDir, 'secrets.json'));
  const store = new URL(clickhouse.url);
  [store.username, store.password] = ['market-data', clickhouse_passwords['market-data']];
  const blocking = await blockingFigures(store.href, sample);
  return [atRest, ...single, ...wide, afterwards, ...blocking];
}

import { expect, test } from 'vitest';
import type { WatchDatasetResponse } from '#proto/saring/market_data/v1/datasets.ts';
import { jakartaDay } from '#foundation/jakarta-time.ts';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { anybody } from '#support/services/dataset-client.ts';
import { idxFile } from '#support/markets/idx-archive.ts';
import { testMarketData } from '#support/services/test-market-data.ts';

const own = testMarketData();
const bars = { 'bars/AAAA.csv': idxFile([{ date: '2024-06-27', close: 100 }]) };

/** Watches the dataset. Records what the watch has sent, and whether the server ended it. */
function watch() {
  const left = new AbortController();
  const reported: WatchDatasetResponse[] = [];
  let hasEnded = false;
  const listen = async () => {
    const call = { ...anybody, timeoutMs: Infinity, signal: left.signal };
    for await (const state of own.datasets.watchDataset({}, call)) reported.push(state);
    hasEnded = true;
  };
  const listening = listen().catch(() => {});
  return { reported, hasEnded: () => hasEnded, leave: () => (left.abort(), listening) };
}

test('a watch needs no token, and reports first that nothing is served and then every served version', async () => {
  const { reported, leave } = watch();
  await expect.poll(() => reported.at(0)).toEqual({ version: '', today: jakartaDay(new Date()) });
  for (let i = 0; i < 2; i++) {
    const { dataset } = await own.importFiles(bars);
    await expect.poll(() => reported.at(-1)?.version, { interval: 5 }).toBe(dataset!.version);
    const read = await own.market.getNego({ ticker: 'AAAA', days: 1 }, anybody);
    expect(read.dataset_version).toBe(dataset!.version);
  }
  await leave();
});

test('stopping the service ends open watches cleanly and at once', async () => {
  const { reported, hasEnded, leave } = watch();
  await expect.poll(() => reported.length).toBeGreaterThan(0);
  const begun = performance.now();
  await own.stopService();
  expect(performance.now() - begun).toBeLessThan(HANGS_AFTER_MS);
  expect(hasEnded()).toBe(true);
  await leave();
  await own.startService();
});

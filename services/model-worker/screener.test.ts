import { afterEach, expect, test } from 'vitest';
import { freePort } from '#local/state/ports.ts';
import { createLogger } from '#shared/logger.ts';
import { FAILURE, unreadableFor } from './failure-messages.ts';
import { Screener } from './screener.ts';

const RUN = {
  model_id: 'confluence_filter',
  params: {},
  analysis_date: '2024-06-28',
  view: 'full' as const,
};
const DATASET = {
  version: 'real-20240628-1',
  kind: 'real',
  broker_data: 'none',
  bars: 925_488,
  broker_segments: [],
};
const PATIENCE_MS = 2_000;
let screener: Screener;
afterEach(() => screener.stop());

/** A screener whose ClickHouse is unavailable. */
async function lonelyScreener(): Promise<Screener> {
  const clickhouseAt = { url: `http://user:password@127.0.0.1:${await freePort()}` };
  const log = createLogger('test', 'silent');
  screener = new Screener({ clickhouseAt, trainerThreads: 2, patienceMs: PATIENCE_MS, log });
  return screener;
}

test('a run without a dataset fails with a message that says so', async () => {
  expect(await (await lonelyScreener()).run(RUN)).toEqual({
    status: 'failed',
    code: 'data_unavailable',
    message: FAILURE.noDataset.in,
  });
});

test('an unreadable dataset fails the run after the patience, and the thread survives', async () => {
  const screener = await lonelyScreener();
  screener.load(DATASET);
  for (let i = 0; i < 2; i++) {
    const begun = performance.now();
    expect(await screener.run(RUN)).toEqual({
      status: 'failed',
      code: 'data_unavailable',
      message: unreadableFor(PATIENCE_MS).in,
    });
    expect(performance.now() - begun).toBeGreaterThan(PATIENCE_MS);
  }
});

test('a run cancelled while it waits for ClickHouse ends at once', async () => {
  const clickhouseAt = { url: `http://user:password@127.0.0.1:${await freePort()}` };
  const log = createLogger('test', 'silent');
  screener = new Screener({ clickhouseAt, trainerThreads: 2, patienceMs: 3_600_000, log });
  screener.load(DATASET);
  const outcome = screener.run(RUN);
  setTimeout(() => screener.cancel(), 2_000);
  expect(await outcome).toEqual({ status: 'interrupted' });
});

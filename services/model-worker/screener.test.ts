import { afterEach, expect, test } from 'vitest';
import { freePort } from '#local/ports.ts';
import { createLogger } from '#shared/logger.ts';
import { FAILURE } from './failure-messages.ts';
import { Screener } from './screener.ts';

const RUN = {
  ...{ model_id: 'confluence_filter', params: {}, analysis_date: '2024-06-28' },
  view: 'full' as const,
};
const DATASET = {
  ...{ version: 'real-20240628-1', kind: 'real', broker_data: 'none' },
  ...{ bars: 925_488, broker_segments: [] },
};
let screener: Screener;
afterEach(() => screener.stop());

/** A screener whose ClickHouse is away. */
async function lonelyScreener(): Promise<Screener> {
  const clickhouseUrl = `http://user:password@127.0.0.1:${await freePort()}`;
  const log = createLogger('test', 'silent');
  screener = new Screener({ clickhouseUrl, trainerThreads: 2, log });
  return screener;
}

test('without a dataset a run fails and says so', async () => {
  expect(await (await lonelyScreener()).run(RUN)).toEqual({ status: 'failed', message: FAILURE.noDataset });
});

test('a dataset that cannot be read fails the run with another message, and the thread lives on', async () => {
  const screener = await lonelyScreener();
  screener.load(DATASET);
  for (let i = 0; i < 2; i++) {
    expect(await screener.run(RUN)).toEqual({ status: 'failed', message: FAILURE.notLoaded });
  }
});

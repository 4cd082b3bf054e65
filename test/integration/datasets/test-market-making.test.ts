import { expect, test, vi } from 'vitest';
import { anybody, operator } from '#support/services/dataset-client.ts';
import { idxFile } from '#support/markets/idx-archive.ts';
import { testMarketData, PATIENTLY } from '#support/services/test-market-data.ts';

const own = testMarketData();
const tester = { ...anybody, market: 'test' as const };
const listed = () => own.datasets.listDatasets({}, operator);

test('an import is not refused while the test market is being made, which goes on afterwards', async () => {
  // Begins to make it.
  await own.datasets.getCurrentDataset({}, tester);
  const { dataset } = await own.importFiles({
    'bars/AAAA.csv': idxFile([{ date: '2024-03-04', close: 100 }]),
  });
  expect((await listed()).served_version).toBe(dataset!.version);
  const answer = () => own.market.getMarketOverview({ language: 'en' }, tester);
  expect(await vi.waitFor(answer, PATIENTLY)).toMatchObject({ dataset_version: 'synthetic-test-20251230-1' });
  const versions = (await listed()).datasets.map(({ version }) => version);
  expect(versions.toSorted()).toEqual([dataset!.version, 'synthetic-test-20251230-1']);
});

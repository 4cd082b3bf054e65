import { describe, expect, test, vi } from 'vitest';
import { anybody, marketDataClient, operator } from '#support/services/dataset-client.ts';
import { idxFile } from '#support/markets/idx-archive.ts';
import { testMarketData } from '#support/services/test-market-data.ts';
import { IN_TIME } from '#support/hangs.ts';

const tester = { ...anybody, market: 'test' as const };

describe('a service that has made it', () => {
  const own = testMarketData();

  const importOne = async (close: number) =>
    (await own.importFiles({ 'bars/AAAA.csv': idxFile([{ date: '2024-03-04', close }]) })).dataset!.version;
  const listed = async () =>
    (await own.datasets.listDatasets({}, operator)).datasets.map(({ version }) => version);
  const served = async () => (await own.datasets.listDatasets({}, operator)).served_version;
  /** Calls come before it is made, or read. */
  const whenThere = <T>(call: () => Promise<T>) => vi.waitFor(call, IN_TIME);
  const overviewAt = (market: typeof own.market) =>
    whenThere(() => market.getMarketOverview({ language: 'en' }, tester));

  test('the test market answers without a served market, and is not served to anybody else', async () => {
    const { days } = await whenThere(() => own.datasets.listTradingDays({ known_version: '' }, tester));
    expect([days.length, days.at(-1)]).toEqual([500, '2025-12-30']);
    expect(await own.datasets.getCurrentDataset({}, anybody)).toMatchObject({ dataset: undefined });
    await expect(own.market.getQuotes({ tickers: ['AAAA'] }, anybody)).rejects.toMatchObject({
      code: 'data_unavailable',
    });
    expect(await served()).toBe('');
  });

  test('it stays as it is while other markets are served, replaced and removed', async () => {
    const overview = () => overviewAt(own.market);
    const before = await overview();
    expect(before).toMatchObject({
      date: '2025-12-30',
      dataset_version: 'synthetic-test-20251230-1',
      freshness: { behind_trading_days: 0, is_late: false },
    });
    const [, newest] = [await importOne(100), await importOne(200)];
    expect(await served()).toBe(newest);
    expect(await own.datasets.pruneDatasets({ keep: 1, stay: [] }, operator)).toMatchObject({
      removed: ['real-20240304-1'],
    });
    expect(await listed()).toEqual([newest, 'synthetic-test-20251230-1']);
    await expect(
      own.datasets.useDataset({ version: 'synthetic-test-20251230-1', reason: '' }, operator),
    ).rejects.toMatchObject({ code: 'import_rejected' });
    expect(await overview()).toEqual(before);
    const quotes = await own.market.getQuotes({ tickers: ['AAAA'] }, anybody);
    expect(quotes).toMatchObject({ dataset_version: newest, quotes: { AAAA: { close: 200 } } });
  });

  test('a restarted service and a copy of it answer from the version that is there', async () => {
    const copy = await own.startCopy();
    try {
      await own.stopService('SIGKILL');
      await own.startService();
      for (const address of [own.address, copy.address]) {
        const market = marketDataClient(address);
        const { dataset_version } = await overviewAt(market);
        expect(dataset_version).toBe('synthetic-test-20251230-1');
        market.close();
      }
      expect((await listed()).filter((version) => version.startsWith('synthetic-test-'))).toEqual([
        'synthetic-test-20251230-1',
      ]);
    } finally {
      await copy.kill();
    }
  });
});

describe('a service that makes it', () => {
  const own = testMarketData();
  const listed = () => own.datasets.listDatasets({}, operator);

  test('an import is not refused while the test market is being made, which goes on afterwards', async () => {
    // Begins to make it.
    await own.datasets.getCurrentDataset({}, tester);
    const { dataset } = await own.importFiles({
      'bars/AAAA.csv': idxFile([{ date: '2024-03-04', close: 100 }]),
    });
    expect((await listed()).served_version).toBe(dataset!.version);
    const answer = () => own.market.getMarketOverview({ language: 'en' }, tester);
    expect(await vi.waitFor(answer, IN_TIME)).toMatchObject({
      dataset_version: 'synthetic-test-20251230-1',
    });
    const versions = (await listed()).datasets.map(({ version }) => version);
    expect(versions.toSorted()).toEqual([dataset!.version, 'synthetic-test-20251230-1']);
  });
});

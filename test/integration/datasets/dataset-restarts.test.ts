import { beforeAll, describe, expect, test } from 'vitest';
import type { ImportDatasetRequest } from '#proto/saring/market_data/v1/datasets.ts';
import type { ServiceError } from '#foundation/errors/service-error.ts';
import { connectClickHouse } from '#platform/clickhouse/clickhouse.ts';
import { anybody, endlessUpload, operator, outcomeOf, uploadOf } from '#support/services/dataset-client.ts';
import { idxFile, tarGzOf } from '#support/markets/idx-archive.ts';
import { testMarketData } from '#support/services/test-market-data.ts';
import { IN_TIME } from '#support/hangs.ts';

const own = testMarketData();

beforeAll(() => own.importFiles({ 'bars/AAAA.csv': idxFile([{ date: '2024-03-01', close: 54 }]) }));

describe('restarts', () => {
  test('a restart removes the remains of a killed import and loads the newest version', async () => {
    const { dataset } = await own.importFiles({
      'bars/AAAA.csv': idxFile([{ date: '2024-03-04', close: 55 }]),
    });
    const before = await own.state();
    outcomeOf(own.datasets.importDataset(endlessUpload('AAAA.csv'), operator)).catch(() => {});
    await expect.poll(async () => (await own.state()).tables.length).toBeGreaterThan(before.tables.length);
    await own.sql.command({
      query: `INSERT INTO market.daily_bar SELECT * REPLACE ('real-20300101-1' AS dataset_version)
              FROM market.daily_bar WHERE dataset_version = {version:String}`,
      query_params: { version: dataset!.version },
    });
    await own.stopService('SIGKILL');
    await own.startService();
    await expect.poll(() => own.state()).toEqual(before);
    await expect
      .poll(() => own.datasets.getCurrentDataset({}, anybody))
      .toMatchObject({ dataset, data_loaded: true, lost_version: '' });
  });

  test('a restart ends statements that outlived their import before it cleans up', async () => {
    const service = connectClickHouse(own.clickhouse.urlOf('market-data'), 60_000);
    const orphan = service.command({
      query: `INSERT INTO market.rejected_row SELECT 'real-20300101-1', 'AAAA.csv', number, 'late', ''
              FROM numbers(60) WHERE sleepEachRow(0.5) = 0 SETTINGS max_block_size = 1`,
    });
    orphan.catch(() => {});
    const inserts = () => own.select(`SELECT query_id FROM system.processes WHERE query_kind = 'Insert'`);
    await expect.poll(inserts).toHaveLength(1);
    const before = await own.state();
    await own.stopService('SIGKILL');
    await own.startService();
    await expect(orphan).rejects.toThrow(/cancelled/i);
    await expect.poll(() => own.state()).toEqual(before);
    await service.close();
  });

  test('the service starts without ClickHouse, answers data_unavailable, and recovers on its own', async () => {
    const { dataset } = await own.datasets.getCurrentDataset({}, anybody);
    await own.stopService();
    await own.clickhouse.kill9();
    await own.startService();
    const unavailable = { code: 'data_unavailable' };
    expect(await own.datasets.getCurrentDataset({}, anybody)).toEqual({
      dataset: undefined,
      data_loaded: false,
      lost_version: '',
    });
    await expect(own.market.getQuotes({ tickers: ['AAAA'] }, anybody)).rejects.toMatchObject(unavailable);
    await expect(own.datasets.listDatasets({}, operator)).rejects.toMatchObject(unavailable);
    await expect(own.importBytes(await tarGzOf({}))).rejects.toMatchObject(unavailable);
    await own.clickhouse.start();
    const current = () => own.datasets.getCurrentDataset({}, anybody);
    await expect.poll(current).toMatchObject({ dataset, data_loaded: true, lost_version: '' });
  });

  test('when ClickHouse is lost the import fails, reads continue, and its tables are removed later', async () => {
    const before = await own.state();
    const lost = Promise.withResolvers<void>();
    const bytes = Buffer.from(idxFile([{ date: '2024-03-04', close: 56 }]));
    async function* interrupted(): AsyncGenerator<ImportDatasetRequest> {
      for await (const message of uploadOf(bytes, { source: 'AAAA.csv' })) {
        if (message.part?.$case === 'end_sha256') await lost.promise;
        yield message;
      }
    }
    const failing = outcomeOf(own.datasets.importDataset(interrupted(), operator));
    failing.catch(() => {});
    await expect.poll(async () => (await own.state()).tables.length).toBeGreaterThan(before.tables.length);
    await own.clickhouse.kill9();
    lost.resolve();
    await expect(failing).rejects.toMatchObject({ code: 'data_unavailable' });
    expect((await own.market.getQuotes({ tickers: ['AAAA'] }, anybody)).quotes).toHaveProperty('AAAA');
    await own.clickhouse.start();
    await expect.poll(() => own.state().catch(() => undefined)).toEqual(before);
  });

  test('while NATS hangs during preparation the store is data_unavailable, until NATS answers', async () => {
    await own.stopService();
    await own.clickhouse.kill9();
    await own.startService();
    await own.natsServer.freeze();
    try {
      await own.clickhouse.start();
      const requested = expect.poll(
        () =>
          own.datasets
            .listDatasets({}, operator)
            .catch(({ code, message }: ServiceError) => ({ code, message })),
        { ...IN_TIME, interval: 0 },
      );
      await requested.toEqual({
        code: 'data_unavailable',
        message: expect.stringContaining('NATS') as string,
      });
    } finally {
      own.natsServer.thaw();
    }
    await expect.poll(() => own.datasets.listDatasets({}, operator).catch(() => undefined)).toBeDefined();
  });
});

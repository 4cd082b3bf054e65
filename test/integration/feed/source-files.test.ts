import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { Format } from '#services/feed/formats/format.ts';
import { BrokerRows } from '#services/feed/formats/broker-rows.ts';
import { IdxSummary } from '#services/feed/formats/idx-summary.ts';
import { summaryOf, summaryRow } from '#services/feed/formats/summary-fixture.ts';
import { MappedFormat } from '#services/feed/formats/mapped-format.ts';
import { mappingOf, VENDOR_CSV, VENDOR_MAPPING } from '#services/feed/formats/mapping-fixture.ts';
import { USUAL_ASSUMPTIONS } from '#shared/data-format/broker-layout.ts';
import { REPOSITORY } from '#support/repository.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { testImporter } from '#support/services/test-importer.ts';

const own = testImporter();
const DAY = '2024-07-05';

/** The sample of docs/data-format.md: two stocks, 2024-07-01 to 2024-07-04, with sectors and boards. */
async function importSample(): Promise<void> {
  const folder = path.join(REPOSITORY, 'deploy/examples/dataset');
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.csv'));
  const files = await Promise.all(
    names.map(async (name) => [name, await readFile(path.join(folder, name), 'utf8')] as const),
  );
  await own.import(Object.fromEntries(files), { adds: false });
}

/** Imports what a format makes of a body, as the feed does. */
async function addFrom(format: Format, body: unknown, day: string) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const { files } = await format.read({ name: 'answer', bytes: Buffer.from(text) }, day);
  const texts = files.map((file) => [file.path, file.bytes.toString()] as const);
  const { dataset, ...outcome } = await own.import(Object.fromEntries(texts), { adds: true });
  return { ...outcome, dataset: dataset! };
}

function listing({ version }: Dataset) {
  const query = `SELECT ticker, name, sector, board FROM market.listing WHERE dataset_version = {version:String} ORDER BY ticker`;
  return clickhouseRows(own.sql, query, { version });
}

test('a day of the exchange’s summary is added whole, and the listing keeps its sectors and boards', async () => {
  await importSample();
  const numbers = {
    Previous: 520,
    OpenPrice: 0,
    High: 530,
    Low: 515,
    Close: 525,
    Value: 626_400_000,
    ListedShares: 2e9,
  };
  const body = summaryOf([summaryRow('QAAA', DAY, numbers), summaryRow('QNEW', DAY)]);
  const { dataset, rejections } = await addFrom(new IdxSummary(), body, DAY);
  expect(rejections).toEqual([]);
  expect(dataset.last_date).toBe(DAY);
  const bars = await own.bars(dataset);
  expect(bars.filter(({ date }) => date === DAY)).toMatchObject([
    { ticker: 'QAAA', close: 525, volume: 1_200_000, nego_volume: 500_000 },
    { ticker: 'QNEW', close: 1020 },
  ]);
  expect(await listing(dataset)).toMatchObject([
    { ticker: 'QAAA', name: 'Contoh QAAA Tbk.', sector: 'Energy', board: 'Utama' },
    { ticker: 'QBBB', name: 'Contoh Beta, Tbk.', board: 'Pengembangan' },
    { ticker: 'QNEW', name: 'Contoh QNEW Tbk.', sector: '', board: '' },
  ]);
  const again = await addFrom(new IdxSummary(), body, DAY);
  expect(again).toMatchObject({ unchanged: true, dataset: { version: dataset.version } });
});

test('lists of the largest buyers and sellers are imported and found to be incomplete', async () => {
  await importSample();
  const lists = {
    ...{ ticker: 'QAAA', date: '2024-07-03', market: 'RG' },
    buyers: [{ broker: 'AK', lots: '4,000', value: '206 M' }],
    sellers: [{ broker: 'YP', lots: 3000, value: 154_500_000 }],
  };
  const { rejections, findings } = await addFrom(new BrokerRows(USUAL_ASSUMPTIONS), lists, '2024-07-03');
  expect(rejections).toEqual([]);
  expect(findings.map(({ finding }) => finding)).toEqual(
    expect.arrayContaining([
      'buys and sells are not equal',
      'incomplete: not within 1 % of the exchange’s volume',
    ]),
  );
});

test('rows of a mapped source are accepted as they are understood', async () => {
  await importSample();
  const csv = VENDOR_CSV.replaceAll('01/07/2024', '05/07/2024');
  const { dataset, rejections } = await addFrom(new MappedFormat(mappingOf(VENDOR_MAPPING)), csv, DAY);
  expect(rejections).toEqual([]);
  expect((await own.bars(dataset)).filter(({ date }) => date === DAY)).toMatchObject([
    { ticker: 'QAAA', close: 1020, volume: 1_200_000, value: 1_214_400_000 },
    { ticker: 'QBBB', close: 200, volume: 0 },
  ]);
});

test('a summary of two lists is imported with both sides of its brokers', async () => {
  await importSample();
  const list = (rows: string, side: string, prefix: string) => ({
    ...{ rows, side },
    fields: { shares: { column: `${prefix}lot`, unit: 'lots' }, value: { column: `${prefix}val` } },
  });
  const declared = {
    into: 'broker_rows',
    body: { format: 'json' },
    fields: {
      ticker: { column: 'symbol' },
      date: { requested_day: true },
      market: { constant: 'RG' },
      broker: { column: 'code' },
    },
    lists: [list('bought', 'buy', 'b'), list('sold', 'sell', 's')],
  };
  const body = {
    symbol: 'QAAA',
    bought: [{ code: 'AK', blot: '15000', bval: '7.725E8' }],
    sold: [{ code: 'AK', slot: '-15000', sval: '-7.725E8' }],
  };
  const { dataset, rejections } = await addFrom(new MappedFormat(mappingOf(declared)), body, '2024-07-03');
  expect(rejections).toEqual([]);
  const query = `SELECT broker, toFloat64(buy_shares) AS bought, toFloat64(sell_value) AS received FROM market.broker_flow
    WHERE segment IN {segments:Array(String)} AND date = '2024-07-03' AND ticker = 'QAAA' AND market = 'REG'`;
  expect(await clickhouseRows(own.sql, query, { segments: dataset.broker_segments })).toEqual([
    { broker: 'AK', bought: 1_500_000, received: 772_500_000 },
  ]);
});

test('of two files with the same stock and day, the one whose path comes first counts, wherever it stands in the upload', async () => {
  await importSample();
  const barsOf = async (close: number) => {
    const row = summaryRow('QAAA', DAY, { Close: close, ListedShares: 2e9 });
    const { files } = await new IdxSummary().read(
      { name: 'a', bytes: Buffer.from(JSON.stringify(summaryOf([row]))) },
      DAY,
    );
    return files[0]!.bytes.toString();
  };
  const upload = { '2/bars/a.csv': await barsOf(1000), '1/bars/a.csv': await barsOf(1025) };
  const { dataset, rejections } = await own.import(upload, { adds: true });
  expect((await own.bars(dataset!)).filter(({ date }) => date === DAY)).toMatchObject([{ close: 1025 }]);
  expect(rejections).toMatchObject([{ reason: 'second row of the same ticker and day', rows: 1 }]);
});

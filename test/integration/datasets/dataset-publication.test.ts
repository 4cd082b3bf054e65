import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { anybody, operator, outcomeOf } from '#support/services/dataset-client.ts';
import { LISTING_HEADER, idxFile, tarGzOf, tarOf, weekdays } from '#support/markets/idx-archive.ts';
import { testMarketData } from '#support/services/test-market-data.ts';

const own = testMarketData();

describe('before anything is published', () => {
  test('there is no dataset, and reads are data_unavailable', async () => {
    expect(await own.datasets.getCurrentDataset({}, anybody)).toEqual({
      dataset: undefined,
      data_loaded: false,
      lost_version: '',
    });
    for (const read of [
      own.market.getQuotes({ tickers: ['BBCA'] }, anybody),
      own.market.getSnapshot({ ticker: 'BBCA', days: 20 }, anybody),
    ]) {
      await expect(read).rejects.toMatchObject({ code: 'data_unavailable' });
    }
    const rejected = own.datasets.listRejectedRows({ version: '', limit: 10 }, operator);
    await expect(rejected).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a valid archive', () => {
  const [first, second, third] = weekdays('2024-03-04', 3) as [string, string, string];

  test('is published completely, announced, described and served at once', async () => {
    const heard: string[] = [];
    own.nats.subscribe('changed.dataset', { callback: (_, message) => void heard.push(message.string()) });
    await own.nats.flush();
    const outcome = await own.importFiles({
      'idx/bars/AAAA.csv': idxFile([
        { date: first, close: 100 },
        { date: second, close: 110, previous: 100, foreign_buy: 300, foreign_sell: 100 },
      ]),
      'idx/bars/BBBB.csv': idxFile([{ date: second, close: 50 }]),
      'idx/listing/all.csv': `${LISTING_HEADER}\nAAAA,"Alpha, Tbk.",1999-01-04T00:00:00,1.0,Utama\n`,
      'idx/listing/Sectors/Properties & Real Estate.csv': `${LISTING_HEADER}\nAAAA,Alpha,1999-01-04,1.0,Utama\n`,
      'idx/README.md': 'not data',
      'idx/bars/._AAAA.csv': 'attributes',
    });
    expect(outcome.rejections).toEqual([]);
    const { dataset } = outcome;
    expect(dataset).toMatchObject({
      version: 'real-20240305-1',
      kind: 'real',
      source: 'test.tar.gz',
      first_date: first,
      last_date: second,
      trading_days: 2,
      tickers: 2,
      bars: 3,
      rejected_rows: 0,
    });
    expect(await own.datasets.getCurrentDataset({}, anybody)).toMatchObject({
      dataset,
      data_loaded: true,
      lost_version: '',
    });
    expect((await own.datasets.listDatasets({}, operator)).datasets).toEqual([dataset]);
    await expect.poll(() => heard).toEqual(['real-20240305-1']);

    const quotes = await own.market.getQuotes({ tickers: ['aaaa', 'AAAA', ' bbbb', 'ZZZZ'] }, anybody);
    expect(quotes).toEqual({
      quotes: {
        AAAA: { close: 110, change_pct: 10, date: second },
        BBBB: { close: 50, change_pct: 0, date: second },
      },
      adjusted: true,
      adjusted_to: second,
      dataset_version: 'real-20240305-1',
    });
    const snapshot = await own.market.getSnapshot({ ticker: 'aaaa', days: 1 }, anybody);
    expect(snapshot).toMatchObject({
      ticker: 'AAAA',
      name: 'Alpha, Tbk.',
      sector: 'Properties & Real Estate',
      board: 'Utama',
      date: second,
      is_partial: false,
      days: 1,
      ohlcv: [{ date: second, close: 110, change_pct: 10, volume: 1_000, value: 110_000 }],
      features: { foreign_net_value_1d: 200 * 110 },
    });
    expect(snapshot.features!.ma200).toBeUndefined();
    expect((await own.market.getSnapshot({ ticker: 'BBBB', days: 5 }, anybody)).name).toBeUndefined();
  });

  test('imported again is the same version; as another kind it is a new version', async () => {
    const files = { 'bars/AAAA.csv': idxFile([{ date: third, close: 7 }]) };
    const bytes = await tarGzOf(files);
    const { dataset } = await own.importBytes(bytes);
    const before = await own.state();
    expect((await own.importBytes(bytes, { source: 'other-name.tar.gz' })).dataset).toEqual(dataset);
    expect(await own.state()).toEqual(before);
    expect((await own.importBytes(bytes, { kind: 'synthetic' })).dataset).toMatchObject({
      version: 'synthetic-20240306-1',
      kind: 'synthetic',
      fingerprint: dataset!.fingerprint,
    });
    expect((await own.importBytes(bytes)).dataset!.version).toBe('real-20240306-2');
  });

  test.each(['tar', 'tar.gz', 'csv', 'csv.gz'])('may come as %s, with either line ending', async (form) => {
    const csv = idxFile([
      { date: first, close: 100 },
      { date: second, close: form.length },
    ]).replaceAll('\n', '\r\n');
    const plain = form.startsWith('tar') ? await tarOf({ 'AAAA.csv': csv }) : Buffer.from(csv);
    const bytes = form.endsWith('.gz') ? gzipSync(plain) : plain;
    const { dataset } = await own.importBytes(bytes, {
      source: form.startsWith('tar') ? form : `AAAA.${form}`,
    });
    expect(dataset).toMatchObject({ tickers: 1, bars: 2, rejected_rows: 0 });
  });
});

describe('a sample', () => {
  const sample = async (seed: number, tickers = 12, days = 60) =>
    (await outcomeOf(own.datasets.generateSample({ seed, tickers, days, may_shrink: true }, operator)))
      .outcome.dataset!;
  test('is labelled synthetic, has the requested size and no rejected rows', async () => {
    const dataset = await sample(7);
    expect(dataset).toMatchObject({
      kind: 'synthetic',
      source: 'generator seed 7',
      tickers: 12,
      trading_days: 60,
      rejected_rows: 0,
    });
    expect(dataset.version).toMatch(/^synthetic-\d{8}-\d+$/);
    expect(await own.datasets.getCurrentDataset({}, anybody)).toMatchObject({
      dataset,
      data_loaded: true,
      lost_version: '',
    });
    const listing = await own.select<{ name: string; sector: string }>(
      `SELECT name, sector FROM market.listing WHERE dataset_version = {version:String}`,
      { version: dataset.version },
    );
    expect(listing).toHaveLength(12);
    for (const { name, sector } of listing) expect([name, sector]).not.toContain('');
  });

  test('with the same seed is the same version while newest, and the same market later', async () => {
    const one = await sample(7);
    expect(await sample(7)).toEqual(one);
    const other = await sample(8);
    expect(other.fingerprint).not.toBe(one.fingerprint);
    const again = await sample(7);
    expect(again.fingerprint).toBe(one.fingerprint);
    expect(again.version).not.toBe(one.version);
    expect(await own.barsOf(again)).toEqual(await own.barsOf(one));
    expect(await own.barsOf(other)).not.toEqual(await own.barsOf(one));
  });
});

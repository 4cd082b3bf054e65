import { expect, test } from 'vitest';
import { barsCsv } from '#services/market-data/import/files/idx-format.ts';
import { generateMarket } from '#synthetic-market/generate-market.ts';
import { anybody } from '#support/services/dataset-client.ts';
import { tarGzOf } from '#support/markets/idx-archive.ts';
import { testMarketData } from '#support/services/test-market-data.ts';

const own = testMarketData();

const LAST_DAY = '2024-06-28';
const MARKET = [...generateMarket({ seed: 11, tickers: 15, days: 60, lastDate: LAST_DAY })];
const TICKERS = MARKET.map(({ ticker }) => ticker);

/** Files in the exchange's form, cut to some days. */
async function archiveOf(isWanted: (date: string) => boolean): Promise<Buffer> {
  const files = MARKET.map(({ ticker, rows }): [string, string] => {
    const [header, ...lines] = barsCsv(rows).trimEnd().split('\n');
    return [`${ticker}.csv`, [header, ...lines.filter((line) => isWanted(line.slice(0, 10))), ''].join('\n')];
  });
  return tarGzOf(Object.fromEntries(files));
}

/** Sums over a stock's broker rows: across copied months and the last one, and on single days of both. */
function responsesOf(ticker: string) {
  const ranked = { ticker, top_n: 50, sort_by: 'value' };
  const { market } = own;
  return Promise.all(
    [
      ...['REG', 'NEGO'].map((of) => market.getBrokerWindow({ ...ranked, days: 60, market: of }, anybody)),
      ...['2024-05-15', LAST_DAY].map((date) =>
        market.getBrokers({ ...ranked, market: 'REG', date }, anybody),
      ),
    ].map((response) => response.catch((error: Error) => error.message)),
  );
}

test('broker rows copied from the version in memory give the same answers as rows read from the store', async () => {
  const whole = await archiveOf((date) => date < LAST_DAY);
  await own.importBytes(whole, { header: { synthesize_brokers: true } });
  const { dataset } = await own.importBytes(await archiveOf((date) => date === LAST_DAY), {
    header: { adds: true },
  });
  expect(dataset).toMatchObject({ broker_data: 'synthetic', last_date: LAST_DAY });
  const copied = await Promise.all(TICKERS.map(responsesOf));
  await own.stopService();
  await own.startService();
  const current = () => own.datasets.getCurrentDataset({}, anybody);
  await expect.poll(current).toMatchObject({ dataset, data_loaded: true, lost_version: '' });
  expect(await Promise.all(TICKERS.map(responsesOf))).toEqual(copied);
  expect(copied.flat().filter((response) => typeof response !== 'string').length).toBeGreaterThan(30);
});

import { expect, test } from 'vitest';
import { anybody } from '#support/services/dataset-client.ts';
import { brokerFile, storedBrokerRows } from '#support/markets/broker-rows.ts';
import { idxFile, tarGzOf, weekdays } from '#support/markets/idx-archive.ts';
import { testMarketData } from '#support/services/test-market-data.ts';

const own = testMarketData();
const BOUGHT = { broker: 'AK', ticker: 'T000', buy_shares: 100, buy_value: 10_000 };

test.each([
  ['a month that the upload shares', 17],
  ['a month that the upload writes', 16],
])('removing a day that is no trading day also removes its broker rows, in %s', async (_, quiet) => {
  const days = weekdays('2024-02-01', 25);
  const tickers = Array.from({ length: 25 }, (_, i) => `T${String(i).padStart(3, '0')}`);
  const market = (from: number, to: number) =>
    Object.fromEntries(
      tickers.map((ticker, i) => {
        const isIdle = (day: number) => day === quiet && i >= 5;
        const rows = days.slice(from, to).map((date, at) => ({
          date,
          close: 100,
          volume: isIdle(from + at) ? 0 : 1_000 + from + at,
        }));
        return [`bars/${ticker}.csv`, idxFile(rows)];
      }),
    );
  const rows = (...on: number[]) => brokerFile(on.map((day) => ({ ...BOUGHT, date: days[day]! })));
  const base = await own.importFiles({ ...market(0, quiet + 1), 'rows.csv': rows(quiet - 1, quiet) });
  expect(base.dataset).toMatchObject({ last_date: days[quiet], broker_rows: 2 });
  const more = await tarGzOf({ ...market(quiet + 1, 25), 'rows.csv': rows(quiet + 1, quiet + 2) });
  const { dataset } = await own.importBytes(more, { header: { adds: true } });
  expect(dataset).toMatchObject({ trading_days: 24, broker_rows: 3 });
  expect(await storedBrokerRows(own, dataset!)).toEqual(
    [quiet - 1, quiet + 1, quiet + 2].map((day) => `T000 ${days[day]!} REG AK gross +100@10000 -0@0`),
  );
  expect(await own.datasets.getCurrentDataset({}, anybody)).toMatchObject({ data_loaded: true });
});

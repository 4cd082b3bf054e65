import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { brokerFile, tradeBetween } from '#support/markets/broker-rows.ts';
import { anybody } from '#support/services/dataset-client.ts';
import { idxFile, tarGzOf, weekdays } from '#support/markets/idx-archive.ts';
import { testMarketData } from '#support/services/test-market-data.ts';
import { REAL_ARCHIVE, REAL_BROKER_ROWS } from '#support/real-market/real-archive.ts';
import { readRawArchive, stockOf, type RawDay } from '#support/recomputed-fields/raw-archive.ts';
import { needing, THE_REAL_MARKET } from '#support/needing.ts';

const own = testMarketData();
const REG = { market: 'REG', top_n: 50, sort_by: 'value' };

describe('brokers of an imported market, over gRPC', () => {
  /** More trading days than those whose broker rows are in memory. */
  const days = weekdays('2022-01-03', 300);
  const [OLD, LAST] = [days[10]!, days.at(-1)!];
  const AAAA = { ticker: 'aaaa', ...REG };
  const nego = { non_regular_volume: 500, non_regular_value: 45_000, non_regular_frequency: 1 };
  beforeAll(async () => {
    const bars = days.map((date) => ({ date, close: 100, ...(date === OLD || date === LAST ? nego : {}) }));
    await own.importFiles({ 'bars/AAAA.csv': idxFile(bars) });
    const rows = [OLD, LAST].flatMap((date) => [
      ...tradeBetween(['AK', 'XL'], 600, 100, { date }),
      ...tradeBetween(['CC', 'ZZ'], 400, 100, { date }),
      {
        date,
        market: 'NG',
        broker: 'AP',
        buy_shares: 500,
        buy_value: 45_000,
        sell_shares: 500,
        sell_value: 45_000,
      },
    ]);
    await own.importBytes(Buffer.from(brokerFile(rows)), { source: 'rows.csv' });
  });

  test('are returned by every call, with names and classes from the broker table', async () => {
    const day = await own.market.getBrokers({ ...AAAA, date: LAST }, anybody);
    expect(day).toMatchObject({ coverage_pct: 100, is_partial: false, broker_count: 4, broker_data: 'real' });
    expect(day.top_buyers).toMatchObject([
      { broker: 'AK', broker_name: 'UBS Sekuritas Indonesia', is_foreign: true, net_value: 60_000 },
      { broker: 'CC', is_foreign: false, is_retail: false, net_value: 40_000 },
    ]);
    expect(day.top_sellers).toMatchObject([
      { broker: 'XL', is_retail: true },
      { broker: 'ZZ', broker_name: undefined },
    ]);
    expect(day.totals).toMatchObject({
      foreign_net_value: 60_000,
      retail_net_value: -60_000,
      bandar_net_value: 0,
    });
    const window = await own.market.getBrokerWindow({ ...AAAA, days: 120 }, anybody);
    expect(window).toMatchObject({ trading_days: 1, partial_days: 0, totals: day.totals });
    const timeline = await own.market.getBrokerTimeline({ ...AAAA, broker: 'ak', days: 250 }, anybody);
    expect(timeline.timeline).toMatchObject([{ date: LAST, net_value: 60_000 }]);
    const stocks = await own.market.listBrokerStocks({ ...REG, broker: 'ak', days: 120 }, anybody);
    expect(stocks.accumulated).toMatchObject([{ ticker: 'AAAA', net_value: 60_000 }]);
    const blocks = await own.market.getNegoBrokers({ ...AAAA, date: 'today' }, anybody);
    expect(blocks.brokers).toMatchObject([{ broker: 'AP', crossed_value: 45_000, net_value: 0 }]);
    const scan = await own.market.scanNego({ date: 'today', min_val: 0, top_n: 10 }, anybody);
    expect(scan.items).toMatchObject([{ ticker: 'AAAA', top_buyer: 'AP', top_seller: 'AP' }]);
  });

  test('come from memory for recent days, and only from the store for older ones', async () => {
    const dayOf = (date: string) => own.market.getBrokers({ ...AAAA, date }, anybody);
    const { date: _old, ...older } = await dayOf(OLD);
    const { date: _last, ...newest } = await dayOf(LAST);
    expect(older).toEqual(newest);
    const unread = { ...AAAA, date: OLD };
    await own.clickhouse.kill9();
    try {
      expect(await dayOf(LAST)).toMatchObject(newest);
      await expect(own.market.getNegoBrokers(unread, anybody)).rejects.toMatchObject({
        code: 'data_unavailable',
      });
    } finally {
      await own.clickhouse.start();
    }
    await expect
      .poll(() => own.market.getNegoBrokers(unread, anybody))
      .toMatchObject({ date: OLD, brokers: [{ broker: 'AP' }] });
  });
});

describe(
  'the real brokers of BUMI',
  needing(THE_REAL_MARKET, existsSync(REAL_ARCHIVE) && existsSync(REAL_BROKER_ROWS)),
  () => {
    const LAST_DAY = '2024-06-28';
    const BUMI = { ticker: 'BUMI', ...REG };
    /** Shares bought on each day of the file, added up by the simplest possible code. */
    const rowShares = new Map<string, number>();
    let bars: RawDay[];
    beforeAll(async () => {
      const archive = await readRawArchive(['BUMI'], LAST_DAY);
      bars = stockOf(archive, 'BUMI').days;
      await own.importBytes(await tarGzOf(archive.files));
      const bytes = readFileSync(REAL_BROKER_ROWS);
      await own.importBytes(bytes, { source: 'broker_rows.csv.gz' });
      for (const line of gunzipSync(bytes).toString().split('\n')) {
        const [, ticker, date, market, mode, , , bought] = line.split(',');
        if (ticker !== 'BUMI' || market !== 'RG' || mode !== 'gross') continue;
        rowShares.set(date!, (rowShares.get(date!) ?? 0) + Number(bought));
      }
    });

    test('have their coverage measured by each day’s volume: about 318 % on 27 February 2020', async () => {
      const wrong = await own.market.getBrokers({ ...BUMI, date: '2020-02-27' }, anybody);
      expect(wrong.is_partial).toBe(true);
      expect(wrong.coverage_pct).toBeCloseTo(318, 0);
      for (const { date, volume, close } of bars.slice(-5)) {
        const day = await own.market.getBrokers({ ...BUMI, date }, anybody);
        expect(day).toMatchObject({ close, is_partial: false, broker_data: 'real' });
        expect(day.coverage_pct).toBeCloseTo((100 * rowShares.get(date)!) / volume, 3);
      }
    });

    test('are partial in a window on days whose volume does not match', async () => {
      const days = bars.slice(-120).filter(({ date }) => rowShares.has(date));
      const isOff = days.filter(({ date, volume }) => Math.abs(rowShares.get(date)! / volume - 1) > 0.01);
      const window = await own.market.getBrokerWindow({ ...BUMI, days: 120 }, anybody);
      expect(window).toMatchObject({ trading_days: days.length, partial_days: isOff.length });
      expect(window.totals!.buy_shares).toBe(days.reduce((sum, { date }) => sum + rowShares.get(date)!, 0));
    });
  },
);

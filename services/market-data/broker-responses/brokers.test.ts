import { describe, expect, test } from 'vitest';
import { brokerFlowOf } from '#quant/broker-rows/flow-fixture.ts';
import {
  brokerMarket,
  FRI,
  marketOfRows,
  MON,
  panel,
  ROWS,
  TODAY,
  TUE,
  WED,
} from './broker-market-fixture.ts';
import { brokersOf } from './brokers.ts';
import { loadedOf, rowsInMemory } from '../in-memory/loaded-fixture.ts';
import { negoBrokersOf } from './nego.ts';

const AAAA = { ticker: 'AAAA', date: MON, market: 'REG', top_n: 10, sort_by: 'value' } as const;
const brokers = (wanted: object = {}, market = brokerMarket, today = TODAY) =>
  brokersOf(market, { ...AAAA, ...wanted }, today, rowsInMemory);
const refusal = (code: string, field?: string) =>
  expect.objectContaining({
    code,
    ...(field && { detail: [expect.objectContaining({ loc: [field] })] }),
  }) as Error;

describe('the brokers of a day', () => {
  test('are net buyers and net sellers, adjusted to the dataset’s last day, with totals of all brokers', async () => {
    expect(await brokers({ ticker: ' aaaa' })).toEqual({
      ticker: 'AAAA',
      date: MON,
      market: 'REG',
      sort_by: 'value',
      close: 200,
      is_partial: false,
      mode: 'gross',
      coverage_pct: 100,
      broker_count: 3,
      totals: {
        buy_value: 402_000,
        sell_value: 402_000,
        net_value: 0,
        buy_shares: 2_000,
        sell_shares: 2_000,
        foreign_buy_value: 301_500,
        foreign_sell_value: 0,
        foreign_net_value: 301_500,
        retail_net_value: -50_250,
        bandar_net_value: -251_250,
        // (150 - 50) shares at 402,000 / 400.
        foreign_investor_net_value: 100_500,
        top5_buyer_net_value: 301_500,
        top5_seller_net_value: -301_500,
        concentration_pct: 100,
      },
      top_buyers: [
        {
          broker: 'AK',
          broker_name: 'UBS',
          is_retail: false,
          is_foreign: true,
          buy_shares: 1_500,
          buy_value: 301_500,
          avg_buy_price: 201,
          net_shares: 1_500,
          net_value: 301_500,
        },
      ],
      top_sellers: [
        {
          broker: 'CC',
          broker_name: 'Mandiri',
          is_retail: false,
          is_foreign: false,
          sell_shares: 1_750,
          sell_value: 351_750,
          avg_sell_price: 201,
          net_shares: -1_250,
          net_value: -251_250,
        },
        {
          broker: 'XL',
          broker_name: 'Stockbit',
          is_retail: true,
          is_foreign: false,
          sell_shares: 250,
          sell_value: 50_250,
          avg_sell_price: 201,
          net_shares: -250,
          net_value: -50_250,
        },
      ],
      dataset_version: 'v1',
      broker_data: 'real',
      adjusted: true,
      adjusted_to: WED,
    });
  });

  test('are limited to top_n, and a code missing from the broker table has no name', async () => {
    expect((await brokers({ top_n: 1 })).top_sellers.map(({ broker }) => broker)).toEqual(['CC']);
    expect((await brokers({ date: WED })).top_buyers).toMatchObject([
      { broker: 'ZZ', broker_name: undefined, is_retail: false, is_foreign: false },
    ]);
  });

  test('exclude a broker with a net of 0 from both sides but still count it', async () => {
    const { top_buyers, top_sellers, broker_count } = await brokers({ date: TUE });
    expect([...top_buyers, ...top_sellers].map(({ broker }) => broker)).toEqual(['XL', 'AK']);
    expect(broker_count).toBe(3);
  });

  test('for today are those of the latest trading day on or before today', async () => {
    expect((await brokers({ date: 'today' })).date).toBe(WED);
    expect((await brokers({ date: 'today' }, brokerMarket, '2024-01-09')).date).toBe(TUE);
  });

  test('are partial if rows are missing, or if it is today and the day may still change', async () => {
    const without = marketOfRows(ROWS.filter(({ date, broker }) => date !== MON || broker !== 'XL'));
    expect(await brokers({}, without)).toMatchObject({ is_partial: true, coverage_pct: 100 });
    expect(await brokers({ date: 'today' }, brokerMarket, WED)).toMatchObject({ is_partial: true });
    expect(await brokers({ date: 'today' })).toMatchObject({ is_partial: false });
    expect(await brokers({}, brokerMarket, WED)).toMatchObject({ is_partial: false });
  });

  test('from net rows are marked net and have no coverage, concentration or average prices', async () => {
    const net = marketOfRows([
      { ticker: 'AAAA', date: MON, broker: 'AK', mode: 'net', buy_shares: 30, buy_value: 30_000 },
      { ticker: 'AAAA', date: MON, broker: 'XL', mode: 'net', sell_shares: 30, sell_value: 30_000 },
    ]);
    const response = await brokers({}, net);
    expect(response).toMatchObject({ mode: 'net', coverage_pct: undefined, is_partial: false });
    expect(response.totals).toMatchObject({ buy_value: 30_000, concentration_pct: undefined });
    expect(response.top_buyers).toMatchObject([{ net_value: 30_000, avg_buy_price: undefined }]);
    expect(response.top_sellers).toMatchObject([{ net_value: -30_000, avg_sell_price: undefined }]);
  });

  test('for a day that is not in memory are computed from rows read on demand', async () => {
    const requested: unknown[] = [];
    const nothingHeld = loadedOf(panel, { version: 'v2', broker_data: 'real' });
    const { top_buyers } = await brokersOf(nothingHeld, AAAA, TODAY, async (...wanted) => {
      requested.push(wanted);
      return brokerFlowOf(panel, ROWS);
    });
    expect(requested).toEqual([[nothingHeld, { day: 1, market: 'REG', ticker: 0 }]]);
    expect(top_buyers.map(({ broker }) => broker)).toEqual(['AK']);
  });

  test.each([
    ['an unknown ticker', { ticker: 'ZZZZ' }],
    ['no trading day', { date: '2024-01-06' }],
    ['a day before the data', { date: '1999-01-04' }],
    ['a day without rows', { date: FRI }],
    ['a market without rows', { market: 'NEGO' }],
  ])('are not_found for %s', async (_, wanted) => {
    await expect(brokers(wanted)).rejects.toThrow(refusal('not_found'));
  });
});

describe('the brokers of negotiated trades', () => {
  const negoBrokers = (wanted: object = {}) =>
    negoBrokersOf(brokerMarket, { ...AAAA, date: WED, ...wanted }, TODAY, rowsInMemory);

  test('show both sides, so that a crossed block is visible', async () => {
    const response = await negoBrokers();
    expect(response).toMatchObject({
      ticker: 'AAAA',
      date: WED,
      market: 'NEGO',
      close: 220,
      nego_avg_price: 230,
      nego_premium: 0.045455,
      is_partial: false,
      mode: 'gross',
      coverage_pct: 100,
      broker_count: 2,
      totals: { buy_value: 46_000, sell_value: 46_000, foreign_investor_net_value: undefined },
    });
    expect(response.top_buyers.map(({ broker, buy_value }) => [broker, buy_value])).toEqual([
      ['AP', 34_500],
      ['XL', 11_500],
    ]);
    expect(response.top_sellers.map(({ broker, sell_value }) => [broker, sell_value])).toEqual([
      ['AP', 46_000],
    ]);
    expect(response.brokers).toEqual([
      {
        broker: 'AP',
        broker_name: 'Pacific',
        is_retail: false,
        is_foreign: false,
        buy_shares: 150,
        buy_value: 34_500,
        sell_shares: 200,
        sell_value: 46_000,
        crossed_value: 34_500,
        net_value: -11_500,
      },
      {
        broker: 'XL',
        broker_name: 'Stockbit',
        is_retail: true,
        is_foreign: false,
        buy_shares: 50,
        buy_value: 11_500,
        sell_shares: 0,
        sell_value: 0,
        crossed_value: 0,
        net_value: 11_500,
      },
    ]);
  });

  test('match the answer of the daily brokers for the same day and market', async () => {
    const { brokers: _both, nego_avg_price: _price, nego_premium: _premium, ...same } = await negoBrokers();
    expect(same).toEqual(await brokers({ date: WED, market: 'NEGO' }));
  });

  test('are not_found for a day without negotiated trades', async () => {
    await expect(negoBrokers({ date: MON })).rejects.toThrow(refusal('not_found'));
  });
});

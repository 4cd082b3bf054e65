import { describe, expect, test } from 'vitest';
import {
  brokerMarket,
  FRI,
  marketOfRows,
  MON,
  partlyNetMarket,
  ROWS,
  TODAY,
  TUE,
  WED,
} from './broker-market-fixture.ts';
import { brokerWindowOf } from './broker-window.ts';

const window = (wanted: object = {}, market = brokerMarket, today = TODAY) =>
  brokerWindowOf(
    market,
    { ticker: 'AAAA', days: 3, market: 'REG', top_n: 10, sort_by: 'value', ...wanted },
    today,
  );
const codes = (rows: { broker: string }[]) => rows.map(({ broker }) => broker);

describe('a broker window', () => {
  test('sums unadjusted values and shares adjusted to its last day, and averages over those sums', () => {
    const { brokers, totals, ...response } = window();
    expect(response).toMatchObject({
      ticker: 'AAAA',
      market: 'REG',
      sort_by: 'value',
      days: 3,
      date_from: MON,
      date_to: WED,
      trading_days: 3,
      partial_days: 0,
      broker_count: 4,
      dataset_version: 'v1',
      broker_data: 'real',
    });
    expect(brokers.map(({ broker_name: _name, is_foreign: _f, is_retail: _r, ...row }) => row)).toEqual([
      {
        broker: 'AK',
        buy_shares: 1_500,
        buy_value: 301_500,
        avg_buy_price: 201,
        sell_shares: 1_000,
        sell_value: 212_500,
        avg_sell_price: 212.5,
        net_shares: 500,
        net_value: 89_000,
        active_days: 3,
        net_buy_days: 1,
        net_sell_days: 2,
      },
      {
        broker: 'CC',
        buy_shares: 1_000,
        buy_value: 203_000,
        avg_buy_price: 203,
        sell_shares: 2_250,
        sell_value: 454_250,
        avg_sell_price: 201.8889,
        net_shares: -1_250,
        net_value: -251_250,
        active_days: 2,
        net_buy_days: 0,
        net_sell_days: 1,
      },
      {
        broker: 'XL',
        buy_shares: 500,
        buy_value: 102_500,
        avg_buy_price: 205,
        sell_shares: 250,
        sell_value: 50_250,
        avg_sell_price: 201,
        net_shares: 250,
        net_value: 52_250,
        active_days: 2,
        net_buy_days: 1,
        net_sell_days: 1,
      },
      {
        broker: 'ZZ',
        buy_shares: 500,
        buy_value: 110_000,
        avg_buy_price: 220,
        sell_shares: 0,
        sell_value: 0,
        avg_sell_price: undefined,
        net_shares: 500,
        net_value: 110_000,
        active_days: 1,
        net_buy_days: 1,
        net_sell_days: 0,
      },
    ]);
    expect(totals).toMatchObject({
      buy_value: 717_000,
      sell_value: 717_000,
      net_value: 0,
      buy_shares: 3_500,
      sell_shares: 3_500,
      foreign_net_value: 89_000,
      retail_net_value: 52_250,
      bandar_net_value: -141_250,
      foreign_investor_net_value: 100_500,
      top5_buyer_net_value: 251_250,
      concentration_pct: 100,
    });
  });

  test('has no average prices for a broker with a net row, but its nets still add up', () => {
    const { brokers, top_buyers, top_sellers } = window({}, partlyNetMarket);
    const unknown = { avg_buy_price: undefined, avg_sell_price: undefined };
    expect(brokers).toMatchObject([
      { broker: 'AK', net_value: 301_500 - 1_500_000_000 - 110_000, ...unknown },
      { broker: 'CC', avg_buy_price: 201, avg_sell_price: 201 },
      { broker: 'XL', net_value: 1_499_949_750, ...unknown },
      { broker: 'ZZ', avg_buy_price: 220 },
    ]);
    expect(top_buyers[0]).toMatchObject({ broker: 'XL', avg_buy_price: undefined });
    expect(top_sellers[0]).toMatchObject({ broker: 'AK', avg_sell_price: undefined });
  });

  test('ranks by value or shares, ties by code, and lists the rows of all ranked brokers', () => {
    expect(codes(window().top_buyers)).toEqual(['ZZ', 'AK', 'XL']);
    expect(codes(window({ sort_by: 'shares' }).top_buyers)).toEqual(['AK', 'ZZ', 'XL']);
    const one = window({ top_n: 1 });
    expect([codes(one.top_buyers), codes(one.top_sellers), codes(one.brokers)]).toEqual([
      ['ZZ'],
      ['CC'],
      ['CC', 'ZZ'],
    ]);
  });

  test('counts the days with rows and how many of them are partial', () => {
    expect(window({ days: 120 })).toMatchObject({
      date_from: FRI,
      days: 120,
      trading_days: 3,
      partial_days: 0,
    });
    expect(window({}, brokerMarket, WED)).toMatchObject({ trading_days: 3, partial_days: 1 });
    expect(window({}, brokerMarket, '2024-01-09')).toMatchObject({
      date_from: FRI,
      date_to: TUE,
      trading_days: 2,
    });
    const without = marketOfRows(ROWS.filter(({ date, broker }) => date !== MON || broker !== 'XL'));
    expect(window({}, without)).toMatchObject({ trading_days: 3, partial_days: 1 });
  });

  test('counts foreign investors only on days with broker rows, so that they compare with the brokers', () => {
    const without = marketOfRows(ROWS.filter(({ date }) => date !== MON));
    expect(window({}, without).totals!.foreign_investor_net_value).toBe(0);
    expect(window({ market: 'NEGO' }).totals!.foreign_investor_net_value).toBeUndefined();
  });

  test.each([{ ticker: 'ZZZZ' }, { ticker: 'BBBB', market: 'NEGO' }, { days: 2, ticker: 'GONE' }])(
    'is not_found for %j',
    (wanted) => {
      expect(() => window(wanted)).toThrow(expect.objectContaining({ code: 'not_found' }));
    },
  );
});

test('the daily class figures of a window add up to its totals', () => {
  const { by_day, totals } = window();
  expect(by_day.map(({ date }) => date)).toEqual([MON, TUE, WED]);
  for (const name of ['foreign_net_value', 'retail_net_value', 'bandar_net_value'] as const) {
    const sum = by_day.reduce((total, day) => total + day[name], 0);
    expect(sum).toBeCloseTo(totals![name], 6);
  }
  expect(by_day.some(({ foreign_net_value }) => foreign_net_value !== 0)).toBe(true);
});

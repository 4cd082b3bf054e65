import { describe, expect, test } from 'vitest';
import {
  brokerMarket,
  FRI,
  marketOfRows,
  MON,
  partlyNetMarket,
  TODAY,
  TUE,
  WED,
} from './broker-market-fixture.ts';
import { brokerTimelineOf } from './broker-timeline.ts';

const timeline = (wanted: object = {}, market = brokerMarket, today = TODAY) =>
  brokerTimelineOf(market, { ticker: 'AAAA', broker: 'AK', days: 30, market: 'REG', ...wanted }, today);

describe('the timeline of a broker', () => {
  test('has days, signals and a summary, all adjusted to the last day', () => {
    expect(timeline({ ticker: 'aaaa', broker: ' ak' })).toEqual({
      ticker: 'AAAA',
      broker: 'AK',
      broker_name: 'UBS',
      market: 'REG',
      days: 30,
      date_from: '2023-12-12',
      date_to: WED,
      dataset_version: 'v1',
      broker_data: 'real',
      adjusted: true,
      adjusted_to: WED,
      timeline: [
        {
          date: MON,
          close: 200,
          buy_shares: 1_500,
          buy_value: 301_500,
          sell_shares: 0,
          sell_value: 0,
          net_shares: 1_500,
          net_value: 301_500,
          cum_net_value: 301_500,
          avg_buy_price: 201,
          avg_sell_price: undefined,
        },
        {
          date: TUE,
          close: 210,
          buy_shares: 0,
          buy_value: 0,
          sell_shares: 500,
          sell_value: 102_500,
          net_shares: -500,
          net_value: -102_500,
          cum_net_value: 199_000,
          avg_buy_price: undefined,
          avg_sell_price: 205,
        },
        {
          date: WED,
          close: 220,
          buy_shares: 0,
          buy_value: 0,
          sell_shares: 500,
          sell_value: 110_000,
          net_shares: -500,
          net_value: -110_000,
          cum_net_value: 89_000,
          avg_buy_price: undefined,
          avg_sell_price: 220,
        },
      ],
      signals: {
        first_net_buy_date: MON,
        first_buy_above_1b_date: undefined,
        current_streak: {
          side: 'DISTRIBUTION',
          start_date: TUE,
          days: 2,
          net_value: -212_500,
          is_cut: false,
        },
      },
      // 1,500 split-adjusted shares for 301,500; the close is 220.
      summary: { net_value: 89_000, net_shares: 500, avg_cost: 201, unrealised_pct: 9.4527, active_days: 3 },
    });
  });

  test('counts calendar days back from the latest trading day', () => {
    const dates = (days: number) => timeline({ days }).timeline.map(({ date }) => date);
    expect([1, 2, 3, 250].map(dates)).toEqual([[WED], [TUE, WED], [MON, TUE, WED], [MON, TUE, WED]]);
    expect(timeline({ days: 2 }).date_from).toBe(TUE);
    expect(timeline({ days: 4 }, brokerMarket, '2024-01-09')).toMatchObject({
      date_from: '2024-01-06',
      date_to: TUE,
    });
  });

  test('says that its window cut off the beginning of a streak, whatever lies between', () => {
    const isCut = (days: number, wanted: object = {}) =>
      timeline({ days, ...wanted }).signals!.current_streak!.is_cut;
    // Sales on Tuesday and Wednesday, after a purchase on Monday.
    expect([1, 2, 3, 30].map((days) => isCut(days))).toEqual([true, false, false, false]);
    // A purchase on Tuesday after a sale on Monday.
    expect([2, 3].map((days) => isCut(days, { broker: 'XL' }))).toEqual([false, false]);
    // Equal purchases and sales on Tuesday are neither side; a sale on Monday is outside the window.
    expect(isCut(2, { broker: 'CC' })).toBe(false);
  });

  test('of a broker that never bought has no cost, first purchase or unrealised return', () => {
    const { summary, signals } = timeline({ days: 2 });
    expect(summary).toMatchObject({ avg_cost: undefined, unrealised_pct: undefined, net_shares: -1_000 });
    expect(signals).toMatchObject({ first_net_buy_date: undefined, current_streak: { start_date: TUE } });
  });

  test('with a net day has no price for that day, no cost and no unrealised return, but nets add up', () => {
    const { timeline: days, summary, signals } = timeline({ broker: 'XL' }, partlyNetMarket);
    expect(days).toMatchObject([
      { date: MON, net_value: -50_250, avg_buy_price: undefined, avg_sell_price: 201 },
      { date: TUE, net_value: 1_500_000_000, avg_buy_price: undefined, avg_sell_price: undefined },
    ]);
    expect(signals).toMatchObject({ first_net_buy_date: TUE, first_buy_above_1b_date: undefined });
    expect(summary).toMatchObject({ net_value: 1_499_949_750, net_shares: -252, active_days: 2 });
    expect(timeline({}, partlyNetMarket).summary).toMatchObject({
      net_value: 301_500 - 1_500_000_000 - 110_000,
      avg_cost: undefined,
      unrealised_pct: undefined,
    });
    expect(timeline({ days: 1 }, partlyNetMarket).timeline).toMatchObject([{ avg_sell_price: 220 }]);
  });

  test('of a broker whose purchases equal its sales has no streak', () => {
    const crossed = { buy_shares: 5, buy_value: 2e9, sell_shares: 5, sell_value: 2e9 };
    const market = marketOfRows([{ ticker: 'AAAA', date: FRI, broker: 'AP', market: 'NEGO', ...crossed }]);
    expect(timeline({ broker: 'AP', market: 'NEGO' }, market).signals).toEqual({
      first_net_buy_date: undefined,
      first_buy_above_1b_date: FRI,
      current_streak: { side: 'NONE', start_date: undefined, days: 0, net_value: 0, is_cut: false },
    });
  });

  test.each([
    { ticker: 'ZZZZ' },
    { broker: 'QQ' },
    { broker: 'CC', days: 1 },
    { broker: 'AP' },
    { broker: 'AK', market: 'NEGO' },
  ])('is not_found for %j', (wanted) => {
    expect(() => timeline(wanted)).toThrow(expect.objectContaining({ code: 'not_found' }));
  });
});

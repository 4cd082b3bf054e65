import { describe, expect, test } from 'vitest';
import type { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { brokerFlowOf, type FlowRowFixture } from '#quant/broker-rows/flow-fixture.ts';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import type { CheckedRequestOf } from '#platform/grpc/method-types.ts';
import { flowsOf } from './flows.ts';
import { loadedOf } from '../in-memory/loaded-fixture.ts';

const TODAY = '2024-12-31';
const day = (number: number) => `2024-06-${String(number).padStart(2, '0')}`;
type ListFlowsRequest = CheckedRequestOf<MarketDataServiceService['listFlows']>;

const DEFAULTS: ListFlowsRequest = {
  flow_type: 'foreign',
  days: 2,
  min_abs_val: 0,
  top_n: 15,
  min_price: 0,
  min_daily_val: 0,
  sort_by: 'value',
  pattern: 'total',
  min_accum_day_ratio: 0.6,
  max_price_change_pct: 100,
};

const panel = panelOf([
  { ticker: 'AAAA', date: day(3), close: 100 },
  { ticker: 'AAAA', date: day(4), close: 104, foreign_buy: 300, foreign_sell: 100 },
  { ticker: 'AAAA', date: day(5), close: 110, foreign_buy: 10 },
  { ticker: 'BBBB', date: day(4), close: 50, foreign_sell: 500 },
  { ticker: 'BBBB', date: day(5), close: 50, volume: 0 },
]);
const rows: FlowRowFixture[] = [
  { ticker: 'AAAA', date: day(4), broker: 'CC', buy_value: 900, buy_shares: 9 },
  { ticker: 'AAAA', date: day(4), broker: 'XL', sell_value: 900, sell_shares: 9 },
  { ticker: 'AAAA', date: day(5), broker: 'CC', sell_value: 100, sell_shares: 1 },
  { ticker: 'AAAA', date: day(5), broker: 'XL', buy_value: 100, buy_shares: 1 },
];
const brokerFlow = brokerFlowOf(panel, rows, [{ code: 'XL', is_retail: true }], { firstDay: 1, lastDay: 2 });
const market = loadedOf(panel, {}, brokerFlow);
const flows = (change: Partial<ListFlowsRequest> = {}, of = market, today = TODAY) =>
  flowsOf(of, { ...DEFAULTS, ...change }, today);
const refused = (code: string, message = /./) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) as string }) as Error;

describe('flows', () => {
  test('of foreign investors use the exchange’s own figures, not broker rows', () => {
    expect(flows()).toEqual({
      flow_type: 'foreign',
      days: 2,
      pattern: 'total',
      sort_by: 'value',
      is_partial: false,
      date_from: day(4),
      date_to: day(5),
      dataset_version: 'v1',
      broker_data: 'none',
      adjusted: true,
      adjusted_to: day(5),
      max_price_change_pct: 100,
      min_accum_day_ratio: undefined,
      count: 2,
      inflow: [
        {
          ticker: 'AAAA',
          close: 110,
          net_value: 21_900,
          net_shares: 210,
          avg_daily_value: 107_000,
          net_to_value_pct: 10.2336,
          accum_days: 2,
          days_with_data: 2,
          accum_day_ratio: 1,
          distrib_days: 0,
          distrib_day_ratio: 0,
          price_change_pct: 10,
          last_day_net_value: 1_100,
        },
      ],
      outflow: [
        {
          ticker: 'BBBB',
          close: 50,
          net_value: -25_000,
          net_shares: -500,
          avg_daily_value: 25_000,
          net_to_value_pct: -50,
          accum_days: 0,
          days_with_data: 1,
          accum_day_ratio: 0,
          distrib_days: 1,
          distrib_day_ratio: 1,
          price_change_pct: undefined,
          last_day_net_value: 0,
        },
      ],
    });
  });

  test('of investor classes are summed from broker rows, name that source, and omit stocks without rows', () => {
    const bandar = flows({ flow_type: 'bandar' });
    expect(bandar).toMatchObject({ flow_type: 'bandar', broker_data: 'real', outflow: [] });
    expect(bandar.inflow).toMatchObject([
      {
        ticker: 'AAAA',
        net_value: 800,
        net_shares: 8,
        accum_days: 1,
        accum_day_ratio: 0.5,
        last_day_net_value: -100,
      },
    ]);
    expect(flows({ flow_type: 'retail' }).outflow).toMatchObject([
      { net_value: -800, accum_days: 1, distrib_days: 1, accum_day_ratio: 0.5, distrib_day_ratio: 0.5 },
    ]);
  });

  test('with the consistent pattern need enough days in one direction and a limited price change', () => {
    const inflow = (change: Partial<ListFlowsRequest>) =>
      flows({ pattern: 'consistent', ...change }).inflow.map(({ ticker }) => ticker);
    expect(inflow({ max_price_change_pct: 9.9 })).toEqual([]);
    expect(inflow({ max_price_change_pct: 10.1 })).toEqual(['AAAA']);
    expect(inflow({ flow_type: 'bandar', max_price_change_pct: 10.1 })).toEqual([]);
    expect(inflow({ flow_type: 'bandar', max_price_change_pct: 10.1, min_accum_day_ratio: 0.5 })).toEqual([
      'AAAA',
    ]);
  });

  test('of either pattern exclude stocks that moved too far and report the thresholds applied', () => {
    const found = (change: Partial<ListFlowsRequest>) => {
      const { inflow, max_price_change_pct, min_accum_day_ratio } = flows(change);
      return [inflow.map(({ ticker }) => ticker), max_price_change_pct, min_accum_day_ratio];
    };
    expect(found({ max_price_change_pct: 6 })).toEqual([[], 6, undefined]);
    expect(found({ max_price_change_pct: 10.1 })).toEqual([['AAAA'], 10.1, undefined]);
    expect(found({ pattern: 'consistent', max_price_change_pct: 6 })).toEqual([[], 6, 0.6]);
  });

  test('end on the latest trading day on or before today', () => {
    expect(flows({ days: 1 }, market, day(4))).toMatchObject({ date_from: day(4), date_to: day(4) });
    expect(flows({ days: 120 })).toMatchObject({ date_from: day(3), date_to: day(5) });
    expect(() => flows({}, market, day(2))).toThrow(refused('not_found'));
  });

  test('of investor classes are not_found without broker rows or when the rows do not cover the window', () => {
    for (const flow_type of ['retail', 'bandar'] as const) {
      expect(() => flows({ flow_type }, loadedOf(panel))).toThrow(
        refused('not_found', /no broker rows in this dataset/),
      );
      expect(() => flows({ flow_type, days: 3 })).toThrow(refused('not_found', /2024-06-04 to 2024-06-05/));
    }
    expect(flows({ days: 3 }).date_from).toBe(day(3));
  });

  test('of investor classes suggest a valid request when they are not_found', () => {
    const requested = () => flows({ flow_type: 'retail', days: 3 });
    expect(requested).toThrow(refused('not_found', /Ask for days=2 or fewer\.$/));
    expect(flows({ flow_type: 'retail', days: 2 }).date_to).toBe(day(5));

    const evening = loadedOf(panel, { broker_last_date: day(4) }, brokerFlow);
    const withoutRows = () => flows({ flow_type: 'bandar', days: 1 }, evening);
    expect(withoutRows).toThrow(
      refused('not_found', /last day with rows is 2024-06-04: .* date=2024-06-04, /),
    );
    expect(flows({ days: 1 }, evening).date_to).toBe(day(5));
  });
});

import { describe, expect, test } from 'vitest';
import { ownTenant } from '#support/fleets/contract.ts';
import { errorCode } from '#support/fleets/rest.ts';

const tenant = ownTenant();
const PATH = '/api/v1/data/flows';

interface Stock {
  ticker: string;
  close: number;
  net_value: number;
  net_shares: number;
  avg_daily_value: number;
  net_to_value_pct: number | null;
  accum_days: number;
  distrib_days: number;
  days_with_data: number;
  accum_day_ratio: number;
  distrib_day_ratio: number;
  price_change_pct: number | null;
  last_day_net_value: number | null;
}
interface Flows {
  flow_type: string;
  days: number;
  pattern: string;
  date_from: string;
  date_to: string;
  sort_by: string;
  max_price_change_pct: number;
  min_accum_day_ratio: number | null;
  count: number;
  inflow: Stock[];
  outflow: Stock[];
  dataset_version: string;
  broker_data: string;
}
interface Snapshot {
  date: string;
  features: Record<string, number | null>;
  ohlcv: { date: string; close: number; volume: number; value: number }[];
}

const flows = (query = '') => tenant.rest.get<Flows>(`${PATH}?${query}`);
const snapshot = async (ticker: string, days = 1) =>
  (await tenant.rest.get<Snapshot>(`/api/v1/data/stocks/${ticker}?days=${days}`)).body;
const refusal = (response: { status: number; body: unknown }) => [
  response.status,
  errorCode(response as never),
];
const NO_FLOORS = {
  min_abs_val: 0,
  min_price: 0,
  min_daily_val: 0,
  top_n: 100,
  max_price_change_pct: 1_000,
};
const queryOf = (values: Record<string, string | number>) =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
/** Without lower bounds, so that every stock is listed. */
const ALL = queryOf(NO_FLOORS);
/** Only stocks whose price has hardly changed. */
const LITTLE = 'max_price_change_pct=2.5';
const TYPES = ['foreign', 'retail', 'bandar'];

describe('flows', () => {
  test('without parameters are of foreign investors over five days, from a billion rupiah, fifteen per list', async () => {
    const { status, body } = await flows();
    expect(status).toBe(200);
    expect(body).toMatchObject({ flow_type: 'foreign', days: 5, pattern: 'total', sort_by: 'value' });
    expect(body.broker_data).toBe('none');
    expect(body.count).toBe(body.inflow.length + body.outflow.length);
    for (const list of [body.inflow, body.outflow]) {
      expect(list.length).toBeLessThanOrEqual(15);
      for (const stock of list) {
        expect(Math.abs(stock.net_value)).toBeGreaterThanOrEqual(1e9);
        expect(stock.close).toBeGreaterThanOrEqual(200);
        expect(stock.avg_daily_value).toBeGreaterThanOrEqual(1e9);
      }
    }
    expect([body.max_price_change_pct, body.min_accum_day_ratio]).toEqual([6, null]);
    for (const { price_change_pct } of body.inflow) expect(price_change_pct ?? 0).toBeLessThanOrEqual(6);
    for (const { price_change_pct } of body.outflow) expect(price_change_pct ?? 0).toBeGreaterThanOrEqual(-6);
    const written =
      'flow_type=foreign&days=5&min_abs_val=1000000000&top_n=15&min_price=200&min_daily_val=1000000000' +
      '&sort_by=value&pattern=total&min_accum_day_ratio=0.6&max_price_change_pct=6.0';
    expect((await flows(written)).body).toEqual(body);
  });

  test.each(TYPES)(
    'of %s are sorted by size on each side, and their day counts add up',
    async (flow_type) => {
      const { body } = await flows(`flow_type=${flow_type}&${ALL}`);
      expect(body.inflow.length).toBeGreaterThan(0);
      expect(body.outflow.length).toBeGreaterThan(0);
      for (const [list, side] of [
        [body.inflow, 1],
        [body.outflow, -1],
      ] as const) {
        const values = list.map(({ net_value }) => side * net_value);
        expect(values).toEqual(values.toSorted((a, b) => b - a));
        for (const stock of list) {
          expect(side * stock.net_value).toBeGreaterThan(0);
          expect(stock.accum_days + stock.distrib_days).toBeLessThanOrEqual(stock.days_with_data);
          expect(stock.days_with_data).toBeLessThanOrEqual(5);
          expect(stock.accum_day_ratio).toBeCloseTo(stock.accum_days / stock.days_with_data, 4);
          expect(stock.distrib_day_ratio).toBeCloseTo(stock.distrib_days / stock.days_with_data, 4);
        }
      }
    },
  );

  test.each(['1', '5', '20'])('of foreign investors over %s days match the snapshots', async (days) => {
    const { inflow, date_to } = (await flows(`days=${days}&${ALL}`)).body;
    for (const stock of inflow.slice(0, 3)) {
      const { date, features, ohlcv } = await snapshot(stock.ticker, Number(days));
      expect(date).toBe(date_to);
      expect(stock.net_value).toBeCloseTo(features[`foreign_net_value_${days}d`]!, -1);
      const traded = ohlcv.reduce((sum, { value }) => sum + value, 0);
      expect(stock.avg_daily_value).toBeCloseTo(traded / Number(days), 0);
      expect(stock.net_to_value_pct).toBeCloseTo((100 * stock.net_value) / traded, 2);
      expect(stock.last_day_net_value).toBe(features['foreign_net_value_1d']);
    }
  });

  test('of broker classes match the snapshots and name the source of the rows', async () => {
    const { body: bandar } = await flows(`flow_type=bandar&days=20&${ALL}`);
    const { body: retail } = await flows(`flow_type=retail&days=5&${ALL}`);
    expect([bandar.broker_data, retail.broker_data]).toEqual(['synthetic', 'synthetic']);
    for (const { ticker, net_value } of [...bandar.inflow.slice(0, 3), ...bandar.outflow.slice(0, 3)])
      expect((await snapshot(ticker)).features['bandar_net_value_20d']).toBe(net_value);
    for (const { ticker, net_value } of [...retail.inflow.slice(0, 3), ...retail.outflow.slice(0, 3)])
      expect((await snapshot(ticker)).features['retail_net_value_5d']).toBe(net_value);
  });

  test('give the price change over the window from the close before it', async () => {
    const { inflow } = (await flows(`days=10&${ALL}`)).body;
    const { ohlcv } = await snapshot(inflow[0]!.ticker, 11);
    const change = 100 * (ohlcv.at(-1)!.close / ohlcv[0]!.close - 1);
    expect(inflow[0]!.price_change_pct).toBeCloseTo(change, 2);
  });

  test('with pattern consistent are a subset of all flows within the ratio and price limits', async () => {
    for (const flow_type of TYPES) {
      const query = `flow_type=${flow_type}&days=10&${ALL}`;
      const { body: all } = await flows(query);
      const { body } = await flows(
        `${query}&pattern=consistent&min_accum_day_ratio=0.7`.replace(/max_price_change_pct=\d+/, LITTLE),
      );
      expect(body.pattern).toBe('consistent');
      const known = new Set(all.inflow.map(({ ticker }) => ticker));
      if (all.inflow.length < 100) expect(body.inflow.every(({ ticker }) => known.has(ticker))).toBe(true);
      expect([body.max_price_change_pct, body.min_accum_day_ratio]).toEqual([2.5, 0.7]);
      for (const { accum_day_ratio } of body.inflow) expect(accum_day_ratio).toBeGreaterThanOrEqual(0.7);
      for (const { distrib_day_ratio } of body.outflow) expect(distrib_day_ratio).toBeGreaterThanOrEqual(0.7);
      for (const { price_change_pct } of body.inflow) expect(price_change_pct).toBeLessThanOrEqual(2.5);
      for (const { price_change_pct } of body.outflow) expect(price_change_pct).toBeGreaterThanOrEqual(-2.5);
    }
  });

  test('with pattern total ignore the day ratio but skip stocks that moved beyond the price limit', async () => {
    const { body: all } = await flows(ALL);
    const { body: total } = await flows(`${ALL}&min_accum_day_ratio=1`);
    expect(total).toEqual(all);
    expect(total.min_accum_day_ratio).toBeNull();
    expect(all.inflow.some(({ price_change_pct }) => price_change_pct! > 2.5)).toBe(true);
    const { body: calm } = await flows(ALL.replace(/max_price_change_pct=\d+/, LITTLE));
    expect(calm.inflow.length).toBeGreaterThan(0);
    for (const { price_change_pct } of calm.inflow) expect(price_change_pct ?? 0).toBeLessThanOrEqual(2.5);
    for (const { price_change_pct } of calm.outflow)
      expect(price_change_pct ?? 0).toBeGreaterThanOrEqual(-2.5);
  });

  test('can be sorted by shares', async () => {
    const { inflow } = (await flows(`${ALL}&sort_by=shares`)).body;
    const shares = inflow.map(({ net_shares }) => net_shares);
    expect(shares).toEqual(shares.toSorted((a, b) => b - a));
    expect(shares.length).toBeGreaterThan(1);
  });

  test('respect every floor and the limit', async () => {
    const { body } = await flows(queryOf({ ...NO_FLOORS, top_n: 3 }));
    expect([body.inflow.length, body.outflow.length]).toEqual([3, 3]);
    const { body: all } = await flows(ALL);
    const middle = all.inflow[Math.floor(all.inflow.length / 2)]!;
    const [price, value, daily] = await Promise.all([
      flows(queryOf({ ...NO_FLOORS, min_price: Math.ceil(middle.close) })),
      flows(queryOf({ ...NO_FLOORS, min_abs_val: middle.net_value - 1 })),
      flows(queryOf({ ...NO_FLOORS, min_daily_val: Math.floor(middle.avg_daily_value) })),
    ]);
    for (const { close } of price.body.inflow) expect(close).toBeGreaterThanOrEqual(middle.close);
    for (const { net_value } of value.body.inflow)
      expect(net_value).toBeGreaterThanOrEqual(middle.net_value - 1);
    for (const stock of daily.body.inflow)
      expect(stock.avg_daily_value).toBeGreaterThanOrEqual(Math.floor(middle.avg_daily_value));
    for (const narrowed of [value, daily])
      expect(narrowed.body.inflow.map(({ ticker }) => ticker)).toContain(middle.ticker);
  });
});

test.each([
  'days=1',
  'days=120',
  'top_n=1',
  'top_n=100',
  'min_abs_val=0',
  'min_abs_val=0.5',
  'min_abs_val=1e15',
  'min_price=0',
  'min_daily_val=0',
  'min_accum_day_ratio=0',
  'min_accum_day_ratio=1.0',
  'max_price_change_pct=-12.5',
  'flow_type=retail&pattern=consistent&sort_by=shares',
])('%s is accepted', async (query) => {
  expect((await flows(query)).status).toBe(200);
});

test.each([
  'days=0',
  'days=121',
  'days=2.5',
  'days=',
  'days=five',
  'days=1&days=2',
  'top_n=0',
  'top_n=101',
  'min_abs_val=-1',
  'min_abs_val=much',
  'min_price=-1',
  'min_price=1.5',
  'min_daily_val=-0.1',
  'min_accum_day_ratio=-0.1',
  'min_accum_day_ratio=1.01',
  'max_price_change_pct=far',
  'flow_type=institutional',
  'flow_type=FOREIGN',
  'flow_type=',
  'sort_by=price',
  'pattern=steady',
  'market=REG',
])('%s is 422 invalid_request', async (query) => {
  expect(refusal(await flows(query))).toEqual([422, 'invalid_request']);
});
